package org.hourstone.internal;

import org.jspecify.annotations.Nullable;

/**
 * Passes errors of exhausted memory that are caught to the default handler of uncaught exceptions.
 * Other threads may have lost their work because of the same shortage, so a program may have to
 * end; that is the decision of the handler, which a program sets. Without a handler nothing
 * happens.
 */
public final class OutOfMemoryReport {
  /** How the JVM says that the system has refused a thread. */
  private static final String NO_THREAD = "unable to create native thread";

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

  /**
   * As {@link #report}, unless memory suffices and only a thread could not be started, which the
   * caller can do without.
   */
  public static void reportUnlessOfThread(Throwable thrown) {
    if (!String.valueOf(thrown.getMessage()).startsWith(NO_THREAD)) {
      report(thrown);
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
