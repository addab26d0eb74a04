package org.hourstone.internal;

/** Calls of receipts, listeners and extensions, which must not end the thread that calls them. */
public final class ForeignCode {
  private ForeignCode() {}

  /** Runs foreign code, reporting anything it throws. */
  public static void run(Runnable foreign) {
    try {
      foreign.run();
    } catch (Throwable e) {
      report(e);
    }
  }

  /** Passes a throwable to the thread's handler, which is also foreign code. */
  public static void report(Throwable thrown) {
    try {
      Thread thread = Thread.currentThread();
      thread.getUncaughtExceptionHandler().uncaughtException(thread, thrown);
    } catch (Throwable e) {
      // If the handler throws, there is nothing left to report to.
    }
  }
}
