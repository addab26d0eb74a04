package org.hourstone.bench;

import java.time.Duration;

/** CPU time of processes, to a hundredth of a second. */
final class ProcessCpu {
  private ProcessCpu() {}

  static double seconds(ProcessHandle process) {
    return seconds(process.info().totalCpuDuration().orElse(Duration.ZERO));
  }

  static double seconds(Duration duration) {
    return duration.toNanos() / 1e9;
  }
}
