package org.hourstone.tsd.session;

import java.io.InputStream;
import java.io.PrintStream;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.hourstone.tsd.terminal.StandardInput;
import org.hourstone.tsd.terminal.StatusLine;
import org.hourstone.tsd.terminal.StoppableInput;
import org.hourstone.tsd.terminal.Streams;
import org.hourstone.write.SingleLine;
import org.jspecify.annotations.Nullable;

/**
 * How a command and its process end: by themselves, after Ctrl-C or a signal, by a client's
 * request, or because memory has run out. Thread-safe, except where said.
 */
public final class Ending {
  private static final long STOP_SECONDS = 5;

  private final Streams streams;
  private final StatusLine status;
  private final PrintStream err;
  private final CountDownLatch stopping = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile LongSupplier stored = () -> 0;
  private @Nullable OutOfMemory outOfMemory;
  private volatile boolean serves;
  private volatile int endStatus;
  private volatile boolean stopped;
  private volatile Supplier<String> stoppedLine = () -> "";
  private volatile boolean endsWhenStopped;
  private volatile @Nullable StoppableInput input;

  Ending(Streams streams, StatusLine status, PrintStream err) {
    this.streams = streams;
    this.status = status;
    this.err = err;
  }

  /** From now on, ends the process immediately if memory runs out. */
  public OutOfMemory endIfOutOfMemory() {
    OutOfMemory ending = new OutOfMemory(streams.err(), () -> stored.getAsLong());
    outOfMemory = ending;
    return ending;
  }

  /**
   * Called when the process must end, for example after Ctrl-C. A command that can end by itself
   * does so; otherwise this erases the progress line and shows the progress made.
   */
  public void stop() {
    if (ended.getCount() == 0) {
      return;
    }
    stopped = true;
    stopping.countDown();
    StoppableInput reading = input;
    if (reading != null) {
      reading.stop();
    }
    try {
      if (serves) {
        ended.await();
        Runtime.getRuntime().halt(endStatus); // the JVM's own exit code would be that of the signal
      }
      if (endsWhenStopped && ended.await(STOP_SECONDS, TimeUnit.SECONDS)) {
        return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (!status.end() && streams.errIsTerminal()) {
      err.println();
    }
    String line = stoppedLine.get();
    if (!line.isEmpty()) {
      err.println(SingleLine.of(line));
    }
  }

  /**
   * Sets the line shown if the process must end before the command has ended. For any thread.
   *
   * @param line an empty text shows nothing
   */
  public void whenStopped(Supplier<String> line) {
    stoppedLine = line;
  }

  /** Standard input of a command that {@linkplain #endsWhenStopped ends by itself}. */
  public InputStream stoppableInput() {
    if (streams.in() == StandardInput.CLOSED) {
      return streams.in();
    }
    StoppableInput opened = input;
    if (opened == null) {
      opened = new StoppableInput(streams.in());
      input = opened;
      if (stopped) {
        opened.stop();
      }
    }
    return opened;
  }

  /** Declares that the command ends soon after {@link #isStopped} returns true. */
  public void endsWhenStopped() {
    endsWhenStopped = true;
  }

  public boolean isStopped() {
    return stopped;
  }

  /**
   * From now on the process ends only after the command has ended, since clients may be sending
   * points.
   */
  public void serves() {
    serves = true;
    status.end();
  }

  /** Waits until the process must end. It ends after the command, with the command's exit code. */
  public void serveUntilStopped() throws InterruptedException {
    stopping.await();
  }

  /** Why a command that serves ends. */
  public String reason() {
    return stopped ? "by a signal" : "since a client has asked for it";
  }

  /** As {@link #stop}, requested by a client; returns immediately. */
  public void stopServing() {
    stopping.countDown();
  }

  /** Called when the command has ended. */
  public void end(int exitCode) {
    status.end();
    endStatus = exitCode;
    ended.countDown();
  }

  /** Called after an error was thrown on this thread. Does not return if memory has run out. */
  public void failed(Throwable thrown) {
    if (outOfMemory != null) {
      outOfMemory.endIfOut(thrown);
    }
  }

  /**
   * Sets the source of the number of points the command has stored.
   *
   * @param count must not allocate
   */
  public void countsStored(LongSupplier count) {
    stored = count;
  }
}
