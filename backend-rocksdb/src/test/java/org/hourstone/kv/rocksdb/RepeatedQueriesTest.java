package org.hourstone.kv.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.hourstone.QuerySettings;
import org.hourstone.Settings;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.query.DecodedCellStats;
import org.hourstone.query.Query;
import org.hourstone.query.SeriesCursor;
import org.hourstone.rewrite.CompactionListener;
import org.hourstone.rewrite.CompactionScope;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Queries that are asked again while their rows change. */
class RepeatedQueriesTest {
  private static final Instant START = Instant.parse("2024-01-01T00:00:00Z");
  private static final int HOURS = 3;
  private static final List<Tags> SERIES =
      List.of(Tags.of("host", "a"), Tags.of("host", "b"), Tags.of("host", "c"));

  private static final List<String> QUERIES =
      List.of("none:m", "sum:5m-avg:m", "max:1h-max:m{host=*}", "avg:7m-p90:rate:m");

  @TempDir Path directory;

  /** As long as decoded cells are kept, and for a store that keeps none. */
  @Test
  void areAnsweredAsThoseOfAStoreWithoutADecodedCell() {
    Random random = new Random(20261126);
    try (Tsdb db = Tsdb.open("rocksdb:" + directory, options());
        Tsdb other =
            Tsdb.open(
                "rocksdb:" + directory.resolve("other"),
                options().with(QuerySettings.DECODED_BYTES, "0"))) {
      for (int step = 0; step < 30; step++) {
        put(random, db, other);
        if (random.nextInt(3) == 0) {
          db.compactor().run(CompactionScope.everything(), CompactionListener.NONE);
          other.compactor().run(CompactionScope.everything(), CompactionListener.NONE);
        }
        for (String query : QUERIES) {
          List<String> expected = answer(other, query);
          for (int time = 0; time < 3; time++) {
            assertThat(answer(db, query)).as("step %d: %s", step, query).isEqualTo(expected);
          }
        }
      }
      assertThat(db.decodedCells().hits()).isGreaterThan(500);
      assertThat(other.decodedCells()).isEqualTo(new DecodedCellStats(0, 0, 0, 0));
    }
  }

  private static TsdbOptions options() {
    return TsdbOptions.defaults().with(Settings.COMPACTION_BACKGROUND, "false");
  }

  /** Points of some hour of some series: all of it, or a few. */
  private static void put(Random random, Tsdb db, Tsdb other) {
    Tags tags = SERIES.get(random.nextInt(SERIES.size()));
    Instant hour = START.plusSeconds(3600L * random.nextInt(HOURS));
    boolean whole = random.nextBoolean();
    boolean integers = random.nextBoolean();
    long millis = random.nextInt(4) == 0 ? random.nextInt(1000) : 0;
    for (int i = whole ? 0 : 355; i < 360; i++) {
      Instant at = hour.plusSeconds(10L * i).plusMillis(millis);
      int value = random.nextInt(1000);
      for (Tsdb each : List.of(db, other)) {
        if (integers) {
          var unused = each.put("m", at, value, tags);
        } else {
          var unused = each.put("m", at, value / 10.0, tags);
        }
      }
    }
    db.flush();
    other.flush();
  }

  private static List<String> answer(Tsdb db, String query) {
    List<String> answer = new ArrayList<>();
    try (SeriesCursor cursor =
        db.query(Query.parse(query).between(START, START.plusSeconds(3600L * HOURS)))) {
      cursor.forEach(
          series -> {
            answer.add(series.tags().toString());
            for (int i = 0; i < series.size(); i++) {
              answer.add(series.millis(i) + " " + series.doubleValue(i));
            }
          });
    }
    return answer;
  }
}
