package org.hourstone.tsd.session;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option {@code --threads} of commands that read whole tables. */
public final class Threads {
  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "Number of threads. Default: the number of processors; for copy at least 4.")
  @Nullable Integer threads;

  /**
   * The number of threads.
   *
   * @param atLeast the least number that is chosen if none is given
   * @throws UsageException if the given one is less than 1
   */
  public int count(int atLeast) {
    if (threads == null) {
      return Math.max(atLeast, Runtime.getRuntime().availableProcessors());
    }
    if (threads < 1) {
      throw new UsageException("--threads " + threads + ": must be at least 1");
    }
    return threads;
  }
}
