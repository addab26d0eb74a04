package org.hourstone.tsd;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Standard input of a command that ends by itself when the process is to end, though nothing
 * arrives: a thread of its own reads, since a read of standard input can't be interrupted. Once
 * stopped, it fails after what has been read: its end would make a whole line of half a one. Read
 * by one thread; closing it does nothing, as the process ends.
 */
final class StoppableInput extends InputStream {
  private static final int BYTES = 64 << 10;

  private final InputStream in;
  private final byte[] buffer = new byte[BYTES];

  // Guarded by this.
  private int at;
  private int end;
  private boolean begun;
  private boolean ended;
  private boolean stopped;
  private @Nullable Throwable failure;

  StoppableInput(InputStream in) {
    this.in = in;
  }

  /** Lets a read that waits fail, and all later ones. */
  synchronized void stop() {
    stopped = true;
    notifyAll();
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public synchronized int read(byte[] into, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    begin();
    await(() -> at < end || ended || stopped);
    if (at == end) {
      return endOfInput();
    }
    int count = Math.min(length, end - at);
    System.arraycopy(buffer, at, into, offset, count);
    at += count;
    notifyAll();
    return count;
  }

  private int endOfInput() throws IOException {
    if (failure != null) {
      throw failure instanceof IOException e ? e : new IOException(failure);
    }
    if (stopped) { // even at the end: the producer may have been stopped, too, within a line
      throw new InterruptedIOException("stopped");
    }
    return -1;
  }

  private void begin() {
    if (!begun) {
      begun = true;
      Thread reader = new Thread(this::readAll, "hourstone-input");
      reader.setDaemon(true);
      reader.start();
    }
  }

  private synchronized void await(BooleanSupplier condition) throws InterruptedIOException {
    try {
      while (!condition.getAsBoolean()) {
        wait();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    }
  }

  private void readAll() {
    try {
      int count = in.read(buffer);
      while (count >= 0) {
        taken(count);
        count = in.read(buffer);
      }
      end(null);
    } catch (IOException | RuntimeException | Error e) {
      end(e);
    }
  }

  /** Returns once all that was read has been taken. */
  private synchronized void taken(int count) throws InterruptedIOException {
    at = 0;
    end = count;
    notifyAll();
    await(() -> at == end);
  }

  private synchronized void end(@Nullable Throwable why) {
    failure = why;
    ended = true;
    notifyAll();
  }

  @Override
  public void close() {
    // The process has it.
  }
}
