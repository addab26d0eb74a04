package org.hourstone.rollup;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZoneId;
import java.util.Objects;
import org.hourstone.Tsdb;
import org.hourstone.query.Query;
import org.hourstone.series.Downsample;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Buckets of a calendar are not read from rolled-up values of which one is in two buckets. */
class RollupZonesTest extends RolledAnswerCase {
  /** Rates need the bucket before, whose start the clocks may have changed since. */
  @ParameterizedTest
  @CsvSource({
    "sum:1w-count:rate:m, Europe/London, 2024-11-02T00:00:00Z, 2024-11-07T00:00:00Z",
    "none:1w-sum:rate:m, Europe/London, 2024-11-02T00:00:00Z, 2024-11-07T00:00:00Z",
    "zimsum:3n-count-zero:rate:m, Europe/London, 2024-11-25T00:00:00Z, 2025-01-07T00:00:00Z",
    "sum:1w-avg:rate:m, Atlantic/Azores, 2025-04-04T00:00:00Z, 2025-04-20T00:00:00Z",
  })
  void bucketsThatBeganInSummerTimeOfAZoneWithoutAnOffsetAreNot(
      String text, String zone, Instant from, Instant until) {
    try (Tsdb db = open("1d,1h")) {
      for (long time = START; time < START + 210 * DAY; time += HOUR) {
        put(db, time, time / HOUR % 97, "a");
      }
      to(START + 211 * DAY);
      flushAndRoll(db);
      Query fixed = query(text, from.getEpochSecond(), until.getEpochSecond());
      Downsample buckets = Objects.requireNonNull(fixed.downsample());
      assertThat(assertSame(db, fixed.downsample(buckets.withCalendar().withZone(ZoneId.of(zone)))))
          .isTrue();
    }
  }
}
