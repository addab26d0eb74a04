package org.hourstone.testkit;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Ends a hanging test from a thread of its own, and reports the stacks of all threads. */
final class Deadline {
  private Deadline() {}

  /** Something that may hang. */
  interface Task {
    void run() throws Throwable;
  }

  /** Runs a task; if it hasn't ended in time, interrupts it and fails with a thread dump. */
  static void run(Duration limit, String name, Task task) throws Throwable {
    FutureTask<@Nullable Throwable> running = new FutureTask<>(() -> thrown(task));
    Thread thread = new Thread(running, Thread.currentThread().getName() + " " + name);
    thread.setDaemon(true);
    thread.start();
    @Nullable Throwable thrown;
    try {
      thrown = running.get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      String dump = threadDump();
      thread.interrupt();
      throw new AssertionError(
          name + " has not ended after " + limit.toSeconds() + " s:\n" + dump, e);
    } catch (ExecutionException e) {
      throw e.getCause();
    }
    if (thrown != null) {
      throw thrown;
    }
  }

  private static @Nullable Throwable thrown(Task task) {
    try {
      task.run();
      return null;
    } catch (Throwable e) { // handed to the waiting thread, whatever it is
      return e;
    }
  }

  private static String threadDump() {
    StringBuilder dump = new StringBuilder();
    for (ThreadInfo thread : ManagementFactory.getThreadMXBean().dumpAllThreads(true, true)) {
      dump.append(thread);
    }
    return dump.toString();
  }
}
