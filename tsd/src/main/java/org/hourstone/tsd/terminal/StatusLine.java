package org.hourstone.tsd.terminal;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The terminal line that shows that a command is still running, and its progress so far. It appears
 * after two seconds and is erased before anything else is written to the terminal. For any thread.
 */
public final class StatusLine {
  private static final long DELAY_MILLIS = 2000;
  private static final long UPDATE_MILLIS = 500;

  private final OutputStream err;
  private final int columns;
  private Supplier<String> text = () -> "working";
  private boolean drawn;
  private boolean ended;

  public StatusLine(Streams streams) {
    this.err = streams.err();
    this.columns = streams.columns();
    this.ended = !streams.errIsTerminal();
  }

  /** Starts to draw the line, on a separate thread. */
  public void start() {
    Thread thread = new Thread(this::run, "hourstone-status");
    thread.setDaemon(true);
    thread.start();
  }

  private void run() {
    long started = System.nanoTime();
    try {
      Thread.sleep(DELAY_MILLIS);
      while (draw(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - started))) {
        Thread.sleep(UPDATE_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Draws the line.
   *
   * @param seconds how long the command has run
   * @return false if it is not shown any more
   */
  public synchronized boolean draw(long seconds) {
    if (ended) {
      return false;
    }
    String line = text.get() + " (" + Plurals.number(seconds) + " s)";
    int length = Math.min(line.length(), columns - 1); // a longer one could not be erased
    write(TerminalLine.of(line.substring(0, length)));
    drawn = true;
    return !ended;
  }

  private void write(String what) {
    try {
      err.write(what.getBytes(StandardCharsets.UTF_8));
      err.flush();
    } catch (IOException e) {
      ended = true;
    }
  }

  /**
   * Sets the text to show.
   *
   * @param now called by another thread
   */
  public synchronized void show(Supplier<String> now) {
    text = now;
  }

  /**
   * Erases the line for good.
   *
   * @return false if it was not shown
   */
  public synchronized boolean end() {
    boolean erased = erase();
    ended = true;
    return erased;
  }

  private boolean erase() {
    boolean erases = drawn;
    if (erases) {
      write(TerminalLine.CLEAR);
      drawn = false;
    }
    return erases;
  }

  /**
   * A stream that erases the line before it writes.
   *
   * @param forGood whether the line is not drawn again
   */
  public OutputStream before(OutputStream stream, boolean forGood) {
    return new FilterOutputStream(stream) {
      @Override
      public void write(int octet) throws IOException {
        write(new byte[] {(byte) octet}, 0, 1);
      }

      @Override
      public void write(byte[] bytes, int offset, int length) throws IOException {
        synchronized (StatusLine.this) {
          erase();
          ended |= forGood;
          out.write(bytes, offset, length);
        }
      }
    };
  }
}
