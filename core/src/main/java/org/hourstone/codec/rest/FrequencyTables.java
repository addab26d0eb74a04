package org.hourstone.codec.rest;

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
  private static final FrequencyTable[] TABLES = load();

  private FrequencyTables() {}

  /** The table of a number below {@link #COUNT}. */
  static FrequencyTable get(int number) {
    return TABLES[number];
  }

  /**
   * The table with which symbols get about as short as with any.
   *
   * @param counts of symbols by magnitude, those of escapes after them
   */
  static FrequencyTable best(int[] counts) {
    int most = FrequencyTable.MOST;
    while (most > 0 && counts[most] == 0) {
      most--;
    }
    FrequencyTable best = TABLES[0];
    long least = Long.MAX_VALUE;
    for (int shape = 0; shape < COUNT; shape += WIDTHS) {
      FrequencyTable table = TABLES[bestOfShape(shape, counts, most)];
      long cost = table.cost(counts, most);
      if (cost < least) {
        least = cost;
        best = table;
      }
    }
    return best;
  }

  /** Within a shape the cost falls up to the best width, and rises from there on. */
  private static int bestOfShape(int shape, int[] counts, int most) {
    int low = shape;
    int high = shape + WIDTHS - 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (TABLES[middle].cost(counts, most) <= TABLES[middle + 1].cost(counts, most)) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
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
