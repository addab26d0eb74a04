package org.hourstone.tsd.terminal;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Standard input for a command that ends by itself when the process must end, even if no input
 * arrives. A separate thread reads, since a read of standard input can't be interrupted. Once
 * stopped, it fails after the bytes that have been read; an end of input would make an incomplete
 * last line look complete. Read by one thread; closing it does nothing, because the process ends.
 */
public final class StoppableInput extends InputStream {
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

  public StoppableInput(InputStream in) {
    this.in = in;
  }

  /** Makes a waiting read and all later reads fail. */
  public synchronized void stop() {
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
    if (stopped) { // even at the end, since the producer may also have been stopped within a line
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

  /** Returns once all bytes that were read have been consumed. */
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
    // The process owns it.
  }
}
