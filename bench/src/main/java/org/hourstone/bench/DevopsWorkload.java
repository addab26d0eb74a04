package org.hourstone.bench;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/**
 * The workload W1: ten CPU metrics of many hosts, each a random walk between 0 and 100, one point
 * every ten seconds, four tags. Lines come as collectors send them: all series of one timestamp,
 * then the next. The same parameters give the same bytes everywhere.
 *
 * @param hosts how many hosts, each with ten series
 * @param seconds how long
 * @param step seconds between points of a series
 * @param decimals whether values have two decimals instead of being whole numbers
 */
record DevopsWorkload(int hosts, int seconds, int step, boolean decimals) {
  DevopsWorkload(int hosts, int seconds, boolean decimals) {
    this(hosts, seconds, STEP_SECONDS, decimals);
  }

  /** Of the arguments {@code hosts}, {@code hours} and {@code kind}: int, or dec. */
  static DevopsWorkload of(Arguments arguments) {
    return of(arguments, arguments.text("kind"));
  }

  static DevopsWorkload of(Arguments arguments, String kind) {
    return new DevopsWorkload(
        arguments.number("hosts"), (int) (arguments.decimal("hours") * HOUR), kind.equals("dec"));
  }

  /** 2024-01-01T00:00:00Z. */
  static final long START = 1_704_067_200;

  static final int STEP_SECONDS = 10;

  static final List<String> METRICS =
      Stream.of("user system idle nice iowait irq softirq steal guest guest_nice".split(" "))
          .map("cpu.usage_"::concat)
          .toList();

  private static final int HOUR = 3600;
  private static final long SEED = 42;
  private static final double MAX = 100;

  /** With the letters of their datacenters. */
  private static final List<String> REGIONS =
      List.of("us-east-1:ab", "eu-west-1:abc", "ap-south-1:a", "sa-east-1:ab");

  private static final List<String> SYSTEMS = List.of("debian12", "ubuntu22.04", "rhel9");

  int series() {
    return hosts * METRICS.size();
  }

  /** How many points there are. */
  long points() {
    return (long) series() * (seconds / step);
  }

  /** Writes the workload as lines of an import file. */
  void writeTo(Path file) throws IOException {
    writeTo(file, false, START);
  }

  /**
   * Writes the lines in another order, or as if the workload had begun at another time.
   *
   * @param bySeries whether all of a series come first, and then those of the next
   * @param start in seconds since the epoch
   */
  void writeTo(Path file, boolean bySeries, long start) throws IOException {
    Random random = new Random(SEED);
    List<String> tags = tags(random);
    double[] values = values(random);
    int series = series();
    int steps = values.length / series;
    StringBuilder line = new StringBuilder();
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 16)) {
      for (int n = 0; n < values.length; n++) {
        int i = bySeries ? n % steps * series + n / steps : n;
        line.setLength(0);
        long time = start + (long) (i / series) * step;
        appendLine(line, i % series, time, values[i], tags);
        out.write(line.toString().getBytes(US_ASCII));
      }
    }
  }

  /** A random walk of each series, before values are rounded. */
  private double[] values(Random random) {
    double[] values = new double[Math.toIntExact(points())];
    double[] before = random.doubles(series(), 0, 1).map(some -> some * MAX).toArray();
    for (int i = 0; i < values.length; i++) {
      double last = before[i % before.length];
      values[i] = Math.min(MAX, Math.max(0, last + random.nextGaussian()));
      before[i % before.length] = values[i];
    }
    return values;
  }

  /** The points for handles of their series, in the order of time. */
  Points inMemory() {
    Random random = new Random(SEED);
    List<String> tags = tags(random);
    double unit = decimals ? 100 : 1;
    double[] rounded =
        DoubleStream.of(values(random)).map(v -> Math.round(v * unit) / unit).toArray();
    return new Points(this, tags, rounded);
  }

  private void appendLine(
      StringBuilder lines, int series, long time, double value, List<String> tagsOfHosts) {
    lines.append(METRICS.get(series % METRICS.size())).append(' ').append(time).append(' ');
    lines.append(BigDecimal.valueOf(Math.round(value * (decimals ? 100 : 1)), decimals ? 2 : 0));
    lines.append(tagsOfHosts.get(series / METRICS.size())).append('\n');
  }

  private List<String> tags(Random random) {
    List<String> tags = new ArrayList<>(hosts);
    for (int host = 0; host < hosts; host++) {
      String[] region = pick(REGIONS, random).split(":", 2);
      char datacenter = region[1].charAt(random.nextInt(region[1].length()));
      String names = " host=host_%d region=%s datacenter=%s%s os=%s";
      tags.add(names.formatted(host, region[0], region[0], datacenter, pick(SYSTEMS, random)));
    }
    return tags;
  }

  private static <T> T pick(List<T> from, Random random) {
    return from.get(random.nextInt(from.size()));
  }
}
