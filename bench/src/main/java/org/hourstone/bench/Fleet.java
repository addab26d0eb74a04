package org.hourstone.bench;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/**
 * Many series with few points each, as the hosts of a fleet have: ten metrics of each host, four
 * tags. Hosts are replaced by others, with new names. The same parameters give the same lines
 * everywhere.
 *
 * @param series how many there are at a time
 */
record Fleet(int series) {
  private static final List<String> REGIONS = List.of("us-east-1", "eu-west-1", "ap-south-1");
  private static final List<String> SYSTEMS = List.of("debian12", "ubuntu22.04", "rhel9");
  private static final int ZONES = 4;
  private static final int VALUES = 101;
  private static final int MIX = 0x9E3779B9;

  /** One of how many hosts is replaced each hour. */
  private static final int REPLACED = 10;

  /** Whether an hour begins with another host in the place of the one before. */
  boolean isReplaced(int number, int hour) {
    return hour > 0 && host(number) % REPLACED == hour % REPLACED;
  }

  /**
   * Writes a line of telnet for a point of each series.
   *
   * @param hour from 0, which counts the replacements that have been
   * @param time in seconds since the epoch
   */
  void write(OutputStream out, int hour, long time) throws IOException {
    write(out, hour, time, false);
  }

  /** As {@link #write}, for the series of hosts that are replaced in this hour alone. */
  void writeReplaced(OutputStream out, int hour, long time) throws IOException {
    write(out, hour, time, true);
  }

  private void write(OutputStream out, int hour, long time, boolean onlyReplaced)
      throws IOException {
    StringBuilder lines = new StringBuilder();
    for (int number = 0; number < series; number++) {
      if (!onlyReplaced || isReplaced(number, hour)) {
        append(lines, number, hour, time);
      }
      if (lines.length() > 1 << 16) {
        out.write(lines.toString().getBytes(US_ASCII));
        lines.setLength(0);
      }
    }
    out.write(lines.toString().getBytes(US_ASCII));
  }

  /** How many series are of hosts that are replaced in this hour. */
  int replaced(int hour) {
    int count = 0;
    for (int number = 0; number < series; number++) {
      count += isReplaced(number, hour) ? 1 : 0;
    }
    return count;
  }

  private static int host(int number) {
    return number / DevopsWorkload.METRICS.size();
  }

  private void append(StringBuilder lines, int number, int hour, long time) {
    int host = host(number);
    lines.append("put ").append(DevopsWorkload.METRICS.get(number % DevopsWorkload.METRICS.size()));
    lines.append(' ').append(time).append(' ').append(value(number, time));
    lines.append(" host=host-").append(host).append('-').append(replacements(number, hour));
    String region = REGIONS.get(host % REGIONS.size());
    lines.append(" region=").append(region);
    lines.append(" datacenter=").append(region).append((char) ('a' + host % ZONES));
    lines.append(" os=").append(SYSTEMS.get(host / ZONES % SYSTEMS.size())).append('\n');
  }

  private int replacements(int number, int hour) {
    int count = 0;
    for (int past = 1; past <= hour; past++) {
      count += isReplaced(number, past) ? 1 : 0;
    }
    return count;
  }

  /** A whole number that changes slowly. */
  private static int value(int number, long time) {
    int step = (int) (time / 60);
    int noise = ((number * 31 + step) * MIX) >>> 31;
    return Math.floorMod(number * 7 + step / 4 + noise, VALUES);
  }
}
