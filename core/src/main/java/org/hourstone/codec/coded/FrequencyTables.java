package org.hourstone.codec.coded;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * The tables of the format, which never change: {@code frequencies.txt}, a line each, the escape's
 * frequency first. They are four shapes of distributions in 31 widths each, from the narrowest to
 * the widest.
 */
final class FrequencyTables {
  /** How many tables there are. */
  static final int COUNT = 124;

  private static final int WIDTHS = 31;

  /** Neighbors differ little: one width in three is tried, then those around the best. */
  private static final int COARSE = 3;

  private static final FrequencyTable[] TABLES = load();

  private FrequencyTables() {}

  /** The table of a number below {@link #COUNT}. */
  static FrequencyTable get(int number) {
    return TABLES[number];
  }

  /**
   * The table that encodes the symbols in about the fewest bits.
   *
   * @param counts of symbols by magnitude, those of escapes after them
   */
  static FrequencyTable best(int[] counts) {
    int most = FrequencyTable.MOST;
    while (most > 0 && counts[most] == 0) {
      most--;
    }
    FrequencyTable best = TABLES[0];
    for (int shape = 0; shape < COUNT; shape += WIDTHS) {
      int near = best(counts, most, shape, shape + WIDTHS, COARSE);
      int from = Math.max(shape, near - COARSE + 1);
      int to = Math.min(shape + WIDTHS, near + COARSE);
      FrequencyTable table = TABLES[best(counts, most, from, to, 1)];
      if (table.cost(counts, most) < best.cost(counts, most)) {
        best = table;
      }
    }
    return best;
  }

  private static int best(int[] counts, int most, int from, int to, int step) {
    int best = from;
    long least = Long.MAX_VALUE;
    for (int i = from; i < to; i += step) {
      long cost = TABLES[i].cost(counts, most);
      if (cost < least) {
        least = cost;
        best = i;
      }
    }
    return best;
  }

  private static FrequencyTable[] load() {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                Objects.requireNonNull(
                    FrequencyTables.class.getResourceAsStream("frequencies.txt")),
                StandardCharsets.US_ASCII))) {
      FrequencyTable[] tables = new FrequencyTable[COUNT];
      for (int i = 0; i < COUNT; i++) {
        int[] numbers =
            Stream.of(Objects.requireNonNull(lines.readLine()).split(" "))
                .mapToInt(Integer::parseInt)
                .toArray();
        tables[i] = new FrequencyTable(i, numbers);
      }
      return tables;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
