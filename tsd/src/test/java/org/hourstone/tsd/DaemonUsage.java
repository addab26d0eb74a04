package org.hourstone.tsd;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What a process uses.
 *
 * @param heapBytes what is left on the heap after a collection
 * @param threads 0 where the system doesn't tell it
 * @param descriptors 0 where the system doesn't tell it
 */
record DaemonUsage(long heapBytes, long threads, long descriptors) {
  /** On a busy machine a process may not answer in the time that jcmd waits. */
  private static final int ATTEMPTS = 10;

  private static final Pattern TOTAL = Pattern.compile("Total +\\d+ +(\\d+)");

  static DaemonUsage of(Process process) throws IOException, InterruptedException {
    return new DaemonUsage(heap(process), count(process, "task"), count(process, "fd"));
  }

  /** A histogram of live objects follows a full collection. */
  private static long heap(Process process) throws IOException, InterruptedException {
    String histogram = "";
    for (int i = 0; i < ATTEMPTS && process.isAlive(); i++) {
      histogram = histogram(process);
      Matcher total = TOTAL.matcher(histogram);
      if (total.find()) {
        return Long.parseLong(total.group(1));
      }
    }
    throw new IOException(
        "no histogram of the daemon's heap: " + histogram.lines().limit(3).toList());
  }

  private static String histogram(Process process) throws IOException, InterruptedException {
    Process jcmd =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                "-J-XX:TieredStopAtLevel=1",
                Long.toString(process.pid()),
                "GC.class_histogram")
            .redirectErrorStream(true)
            .start();
    String histogram = new String(jcmd.getInputStream().readAllBytes(), UTF_8);
    jcmd.waitFor();
    return histogram;
  }

  private static long count(Process process, String kind) throws IOException {
    Path directory = Path.of("/proc", Long.toString(process.pid()), kind);
    if (!Files.isDirectory(directory)) {
      return 0;
    }
    try (Stream<Path> all = Files.list(directory)) {
      return all.count();
    }
  }

  /** Whether it is about that of another time, when nothing was asked. */
  boolean isBackTo(DaemonUsage before, long moreHeap, int moreThreads, int moreDescriptors) {
    return heapBytes <= before.heapBytes + moreHeap
        && threads <= before.threads + moreThreads
        && descriptors <= before.descriptors + moreDescriptors;
  }

  @Override
  public String toString() {
    return "%.1f MB, %d threads, %d descriptors".formatted(heapBytes / 1e6, threads, descriptors);
  }
}
