package org.hourstone.bench;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * Measures what an action costs: wall time, CPU time of the whole process and of threads, bytes
 * allocated by Java threads. Threads that end within the action are missed.
 */
final class Meter {
  private static final OperatingSystemMXBean SYSTEM =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final String FLUSHER = "hourstone-flusher";

  private Meter() {}

  /** An action whose cost is measured. */
  @FunctionalInterface
  interface Action {
    void run() throws Exception;
  }

  /**
   * The cost of an action.
   *
   * @param seconds wall time
   * @param cpu CPU seconds of the process, to a hundredth
   * @param callerCpu CPU seconds of the thread that ran the action
   * @param flusherCpu CPU seconds of the threads that write batches
   * @param allocated bytes allocated on the Java heap
   * @param callerAllocated those by the thread that ran the action
   */
  record Cost(
      double seconds,
      double cpu,
      double callerCpu,
      double flusherCpu,
      double allocated,
      double callerAllocated) {
    private Cost dividedBy(double count) {
      return new Cost(
          seconds / count,
          cpu / count,
          callerCpu / count,
          flusherCpu / count,
          allocated / count,
          callerAllocated / count);
    }
  }

  private record Sample(long wall, long cpu, Map<Long, Long> threadCpu, Map<Long, Long> bytes) {
    static Sample now() {
      Map<Long, Long> threadCpu = new HashMap<>();
      Map<Long, Long> bytes = new HashMap<>();
      for (long id : THREADS.getAllThreadIds()) {
        threadCpu.put(id, Math.max(0, THREADS.getThreadCpuTime(id)));
        bytes.put(id, Math.max(0, THREADS.getThreadAllocatedBytes(id)));
      }
      return new Sample(System.nanoTime(), SYSTEM.getProcessCpuTime(), threadCpu, bytes);
    }
  }

  /** Runs an action some times and returns the cost of one. */
  static Cost measure(int times, Action action) {
    return measure(
            () -> {
              for (int i = 0; i < times; i++) {
                action.run();
              }
            })
        .dividedBy(times);
  }

  /** Runs an action and returns its cost. Its exceptions are rethrown unchecked. */
  static Cost measure(Action action) {
    Sample before = Sample.now();
    try {
      action.run();
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
    Sample after = Sample.now();
    long flusherCpu = 0;
    long allocated = 0;
    for (Map.Entry<Long, Long> thread : after.threadCpu().entrySet()) {
      long id = thread.getKey();
      long cpu = thread.getValue() - before.threadCpu().getOrDefault(id, 0L);
      flusherCpu += isFlusher(id) ? cpu : 0;
      allocated += after.bytes().getOrDefault(id, 0L) - before.bytes().getOrDefault(id, 0L);
    }
    long caller = Thread.currentThread().getId();
    long callerCpu =
        after.threadCpu().getOrDefault(caller, 0L) - before.threadCpu().getOrDefault(caller, 0L);
    return new Cost(
        (after.wall() - before.wall()) / 1e9,
        (after.cpu() - before.cpu()) / 1e9,
        callerCpu / 1e9,
        flusherCpu / 1e9,
        allocated,
        after.bytes().getOrDefault(caller, 0L) - before.bytes().getOrDefault(caller, 0L));
  }

  /** CPU seconds of a process so far, to a hundredth. */
  static double cpu(ProcessHandle process) {
    return process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos() / 1e9;
  }

  private static boolean isFlusher(long id) {
    ThreadInfo thread = THREADS.getThreadInfo(id);
    return thread != null && thread.getThreadName().startsWith(FLUSHER);
  }
}
