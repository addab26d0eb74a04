package org.hourstone.testing.reference;

import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.hourstone.QuerySettings;
import org.hourstone.Setting;
import org.hourstone.TsdbOptions;

/**
 * A limit of queries that some of the drawn ones exceed.
 *
 * @param name of the limited amount
 */
record RandomLimit(String name, Setting<?> setting, long most) {
  private static final int BYTES_A_POINT = 10;
  private static final int MEMORY_OF_A_POINT = 40;
  private static final int MEMORY_OF_A_SERIES = 5_000;
  private static final int SERIES = 8;

  private static final List<String> NAMES = List.of("points", "bytes", "series", "memory", "total");

  static void declare(Features features) {
    features.know(
        "limit",
        NAMES.stream().flatMap(name -> Stream.of(name + "-kept", name + "-exceeded")).toList());
  }

  /**
   * Draws one.
   *
   * @param points how many are stored
   */
  static RandomLimit draw(Random random, int points) {
    String name = NAMES.get(random.nextInt(NAMES.size()));
    int some = 1 + random.nextInt(points);
    return switch (name) {
      case "points" -> new RandomLimit(name, QuerySettings.QUERY_MAX_POINTS, some);
      case "bytes" ->
          new RandomLimit(name, QuerySettings.QUERY_MAX_BYTES, (long) some * BYTES_A_POINT);
      case "series" ->
          new RandomLimit(name, QuerySettings.QUERY_MAX_SERIES, 1L + random.nextInt(SERIES));
      case "memory" ->
          new RandomLimit(name, QuerySettings.QUERY_MEMORY_BYTES, memory(some, random));
      default ->
          new RandomLimit(name, QuerySettings.QUERY_TOTAL_MEMORY_BYTES, memory(some, random));
    };
  }

  private static long memory(int points, Random random) {
    return (long) points * MEMORY_OF_A_POINT + random.nextInt(SERIES) * (long) MEMORY_OF_A_SERIES;
  }

  /** Options with the limit. */
  TsdbOptions in(TsdbOptions options) {
    return options.with(setting, String.valueOf(most));
  }
}
