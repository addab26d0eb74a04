package org.hourstone.testkit;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Ends a hanging test from a separate thread, and reports the stacks of all threads. */
final class TestDeadline {
  private static final int MILLIS_DIGITS = 3;

  private TestDeadline() {}

  /** Something that may hang. */
  interface Task {
    void run() throws Throwable;
  }

  /**
   * Runs a task in a separate thread; if it hasn't ended in time, interrupts it and fails with its
   * name and the whole stacks of all threads. A task that ignores the interrupt is left behind in a
   * daemon thread.
   */
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
      throw new AssertionError(name + " has not ended after " + seconds(limit) + " s:\n" + dump, e);
    } catch (ExecutionException e) {
      throw e.getCause();
    }
    if (thrown != null) {
      throw thrown;
    }
  }

  /** As {@link #run}, for a task that has a result. */
  static <T> T get(Duration limit, String name, Callable<T> task) throws Throwable {
    AtomicReference<@Nullable T> result = new AtomicReference<>();
    run(limit, name, () -> result.set(task.call()));
    return Objects.requireNonNull(result.get());
  }

  private static @Nullable Throwable thrown(Task task) {
    try {
      task.run();
      return null;
    } catch (Throwable e) { // handed to the waiting thread, whatever it is
      return e;
    }
  }

  private static String seconds(Duration limit) {
    BigDecimal seconds = BigDecimal.valueOf(limit.toMillis(), MILLIS_DIGITS);
    return seconds.stripTrailingZeros().toPlainString();
  }

  private static String threadDump() {
    StringBuilder dump = new StringBuilder();
    for (ThreadInfo thread : ManagementFactory.getThreadMXBean().dumpAllThreads(true, true)) {
      append(dump, thread);
    }
    return dump.toString();
  }

  /** {@link ThreadInfo#toString} stops after 8 frames, before the caller of the store. */
  private static void append(StringBuilder dump, ThreadInfo thread) {
    dump.append('"').append(thread.getThreadName()).append("\" ").append(thread.getThreadState());
    if (thread.getLockName() != null) {
      dump.append(" on ").append(thread.getLockName());
    }
    if (thread.getLockOwnerName() != null) {
      dump.append(" held by \"").append(thread.getLockOwnerName()).append('"');
    }
    dump.append('\n');
    for (StackTraceElement frame : thread.getStackTrace()) {
      dump.append("\tat ").append(frame).append('\n');
    }
    dump.append('\n');
  }
}
