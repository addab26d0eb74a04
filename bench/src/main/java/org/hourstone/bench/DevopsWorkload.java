package org.hourstone.bench;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * The workload W1: ten CPU metrics of many hosts, each a random walk between 0 and 100, one point
 * every ten seconds, four tags. Lines come as collectors send them: all series of one timestamp,
 * then the next. The same parameters give the same bytes everywhere.
 *
 * @param hosts how many hosts, each with ten series
 * @param seconds how long
 * @param decimals whether values have two decimals instead of being whole numbers
 */
record DevopsWorkload(int hosts, int seconds, boolean decimals) {
  /** Of the arguments {@code hosts}, {@code hours} and {@code kind}: int, or dec. */
  static DevopsWorkload of(Arguments arguments) {
    return new DevopsWorkload(
        arguments.number("hosts"),
        (int) (arguments.decimal("hours") * HOUR),
        arguments.text("kind").equals("dec"));
  }

  /** 2024-01-01T00:00:00Z. */
  static final long START = 1_704_067_200;

  static final int STEP_SECONDS = 10;

  static final List<String> METRICS =
      List.of(
          "cpu.usage_user",
          "cpu.usage_system",
          "cpu.usage_idle",
          "cpu.usage_nice",
          "cpu.usage_iowait",
          "cpu.usage_irq",
          "cpu.usage_softirq",
          "cpu.usage_steal",
          "cpu.usage_guest",
          "cpu.usage_guest_nice");

  private static final int HOUR = 3600;
  private static final long SEED = 42;
  private static final double MAX = 100;
  private static final List<Region> REGIONS =
      List.of(
          new Region("us-east-1", List.of("us-east-1a", "us-east-1b")),
          new Region("eu-west-1", List.of("eu-west-1a", "eu-west-1b", "eu-west-1c")),
          new Region("ap-south-1", List.of("ap-south-1a")),
          new Region("sa-east-1", List.of("sa-east-1a", "sa-east-1b")));
  private static final List<String> SYSTEMS = List.of("debian12", "ubuntu22.04", "rhel9");

  private record Region(String name, List<String> datacenters) {}

  /** How many points there are. */
  long points() {
    return (long) hosts * METRICS.size() * (seconds / STEP_SECONDS);
  }

  /** Writes the workload as lines of an import file. */
  void writeTo(Path file) throws IOException {
    writeTo(file, PointOrder.TIME, START);
  }

  /**
   * Writes the lines in another order, or as if the workload had begun at another time.
   *
   * @param start in seconds since the epoch
   */
  void writeTo(Path file, PointOrder order, long start) throws IOException {
    Random random = new Random(SEED);
    List<String> tagsOfHosts = tagsOfHosts(random);
    int series = hosts * METRICS.size();
    double[] values = new double[Math.toIntExact(points())];
    double[] begin = new double[series];
    for (int i = 0; i < series; i++) {
      begin[i] = random.nextDouble() * MAX;
    }
    for (int i = 0; i < values.length; i++) {
      values[i] = next(i < series ? begin[i] : values[i - series], random);
    }
    StringBuilder line = new StringBuilder();
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 16)) {
      for (int i : order.positions(series, seconds / STEP_SECONDS, HOUR / STEP_SECONDS)) {
        line.setLength(0);
        long time = start + (long) (i / series) * STEP_SECONDS;
        appendLine(line, i % series, time, values[i], tagsOfHosts);
        out.write(line.toString().getBytes(US_ASCII));
      }
    }
  }

  private static double next(double value, Random random) {
    return Math.min(MAX, Math.max(0, value + random.nextGaussian()));
  }

  private void appendLine(
      StringBuilder lines, int series, long time, double value, List<String> tagsOfHosts) {
    lines.append(METRICS.get(series % METRICS.size())).append(' ').append(time).append(' ');
    appendValue(lines, value);
    lines.append(tagsOfHosts.get(series / METRICS.size())).append('\n');
  }

  private List<String> tagsOfHosts(Random random) {
    List<String> tags = new ArrayList<>(hosts);
    for (int host = 0; host < hosts; host++) {
      Region region = pick(REGIONS, random);
      tags.add(
          " host=host_"
              + host
              + " region="
              + region.name()
              + " datacenter="
              + pick(region.datacenters(), random)
              + " os="
              + pick(SYSTEMS, random));
    }
    return tags;
  }

  private static <T> T pick(List<T> from, Random random) {
    return from.get(random.nextInt(from.size()));
  }

  private void appendValue(StringBuilder lines, double value) {
    if (!decimals) {
      lines.append(Math.round(value));
      return;
    }
    long hundredths = Math.round(value * 100);
    lines.append(hundredths / 100).append('.');
    lines.append((char) ('0' + hundredths / 10 % 10)).append((char) ('0' + hundredths % 10));
  }
}
