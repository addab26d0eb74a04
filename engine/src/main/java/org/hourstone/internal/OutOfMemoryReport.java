package org.hourstone.internal;

import org.jspecify.annotations.Nullable;

/**
 * Passes errors of exhausted memory that are caught to the default handler of uncaught exceptions.
 * Other threads may have lost their work because of the same shortage, so a program may have to
 * end; that is the decision of the handler, which a program sets. Without a handler nothing
 * happens.
 */
public final class OutOfMemoryReport {
  private OutOfMemoryReport() {}

  /**
   * Reports a throwable if it, or one of its causes, is an {@link OutOfMemoryError}. Must be called
   * before anything else is done with it, since that may need memory.
   */
  public static void report(@Nullable Throwable thrown) {
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      if (cause instanceof OutOfMemoryError) {
        pass(cause);
        return;
      }
    }
  }

  private static void pass(Throwable error) {
    Thread.UncaughtExceptionHandler handler = Thread.getDefaultUncaughtExceptionHandler();
    if (handler == null) {
      return;
    }
    try {
      handler.uncaughtException(Thread.currentThread(), error);
    } catch (Throwable e) {
      // The handler has done what it could.
    }
  }
}
