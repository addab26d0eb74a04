package org.hourstone.tsd.session;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Ends the process when memory runs out, with one line that says which memory, and how many points
 * are stored. The other threads can't continue reliably, since one thread has lost its work. All
 * memory needed for this is allocated in advance. Thread-safe.
 */
final class OutOfMemory implements Thread.UncaughtExceptionHandler {
  private static final byte[] START = bytes("hourstone: out of memory (");
  private static final byte[] STORED = bytes("); this command has stored ");
  private static final byte[] END = bytes(" points (a larger heap: HOURSTONE_OPTS=-Xmx4g)\n");
  private static final int MOST_DIGITS = 20;

  /** The longest part of an error's message that is printed. */
  private static final int MOST_WORDS = 200;

  private final OutputStream err;
  private final LongSupplier stored;
  private final byte[] line =
      new byte[START.length + MOST_WORDS + STORED.length + MOST_DIGITS + END.length];
  private int length;

  /**
   * @param stored returns the number of stored points; must not allocate
   */
  OutOfMemory(OutputStream err, LongSupplier stored) {
    this.err = err;
    this.stored = stored;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Prints any other error as a JVM without a handler does. */
  @Override
  public void uncaughtException(Thread thread, Throwable thrown) {
    endIfOut(thrown);
    System.err.print("Exception in thread \"" + thread.getName() + "\" ");
    thrown.printStackTrace();
  }

  /** Does not return if memory has run out. */
  synchronized void endIfOut(Throwable thrown) {
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      if (cause instanceof OutOfMemoryError) {
        try {
          format(cause.getMessage(), stored.getAsLong());
          err.write(line, 0, length);
        } catch (IOException | RuntimeException | Error e) {
          // The message is the only indication.
        } finally {
          Runtime.getRuntime().halt(ExitCode.FAILED);
        }
      }
    }
  }

  private void format(@Nullable String memory, long count) {
    length = 0;
    add(START);
    String words = memory == null ? "" : memory;
    for (int i = 0; i < words.length() && i < MOST_WORDS; i++) {
      line[length++] = (byte) words.charAt(i);
    }
    add(STORED);
    addNumber(count);
    add(END);
  }

  private void add(byte[] text) {
    System.arraycopy(text, 0, line, length, text.length);
    length += text.length;
  }

  private void addNumber(long count) {
    int digits = 1;
    for (long rest = count / 10; rest > 0; rest /= 10) {
      digits++;
    }
    long rest = count;
    for (int i = length + digits - 1; i >= length; i--) {
      line[i] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
    length += digits;
  }
}
