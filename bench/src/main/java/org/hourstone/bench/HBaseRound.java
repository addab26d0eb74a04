package org.hourstone.bench;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The points of one round, as lines of telnet: each round's are of another day, so that they make
 * rows of their own in tables that stay.
 *
 * @param start of its first points, in seconds since the epoch
 * @param lines with {@code put}, without their ends; all series of one timestamp, then the next
 * @param series the number of lines with one timestamp
 */
record HBaseRound(long start, List<byte[]> lines, int series) {
  private static final long DAY_SECONDS = 86_400;

  static HBaseRound of(DevopsWorkload workload, int number, WorkDirectory work) throws IOException {
    long start = DevopsWorkload.START + number * DAY_SECONDS;
    Path file = work.path().resolve("round" + number);
    workload.writeTo(file, start);
    List<byte[]> lines =
        Files.readAllLines(file).stream().map(line -> ("put " + line).getBytes(US_ASCII)).toList();
    Files.delete(file);
    return new HBaseRound(start, lines, workload.hosts() * DevopsWorkload.METRICS.size());
  }

  /** When the {@code i}th point was measured, in milliseconds since the epoch. */
  long millis(int i) {
    return (start + (long) (i / series) * DevopsWorkload.STEP_SECONDS) * 1000;
  }
}
