package org.hourstone.internal;

/**
 * A thread that a writer waits for: it ends only when the engine is closed. Callbacks on it must
 * not wait for the engine, since the engine would wait for this thread.
 */
public final class EngineThread extends Thread {
  public EngineThread(Runnable task, String name) {
    super(task, name);
    setDaemon(true);
  }

  /**
   * Must be called first by any code that waits for such threads.
   *
   * @throws IllegalStateException if called on one of them
   */
  public static void checkMayWait() {
    if (Thread.currentThread() instanceof EngineThread) {
      throw new IllegalStateException(
          "called from a callback, on a thread that the call may wait for: use thenRunAsync or the"
              + " like");
    }
  }
}
