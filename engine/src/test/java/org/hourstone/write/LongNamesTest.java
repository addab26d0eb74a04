package org.hourstone.write;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.hourstone.Tables;
import org.hourstone.codec.RowKey;
import org.hourstone.codec.Schema;
import org.hourstone.internal.Backoff;
import org.hourstone.kv.SchemaMode;
import org.hourstone.testkit.ManualClock;
import org.hourstone.testkit.store.ModelStore;
import org.hourstone.uid.NameRules;
import org.hourstone.uid.UidKind;
import org.hourstone.uid.UidOptions;
import org.hourstone.uid.UidTable;
import org.junit.jupiter.api.Test;

/** What is remembered of series whose names are as long as a line may be. */
class LongNamesTest {
  private static final Tables TABLES = new Tables("tsdb", "tsdb-uid", "tsdb-meta", "tsdb-tree");
  private static final Schema SCHEMA = new Schema(3, 3, 3, 0, 20, 8);

  private final ManualClock clock = new ManualClock(Instant.ofEpochSecond(1_500_001_200));
  private final SeriesTable series = table(100);

  private SeriesTable table(int names) {
    ModelStore store = new ModelStore(clock);
    store.ensure(TABLES.families(), SchemaMode.CREATE);
    UidTable uids =
        new UidTable(
            store,
            TABLES.uidIds(),
            TABLES.uidNames(),
            SCHEMA,
            new UidOptions(EnumSet.allOf(UidKind.class), Set.of(), 10_000, Duration.ZERO),
            Backoff.none(),
            clock,
            new Random(1));
    return new SeriesTable(
        uids,
        new NameRules("", false, 1000),
        new RowKey(SCHEMA),
        new WriteOptions.Cached(0, names),
        () -> {});
  }

  private Series resolve(String metric, String host) {
    return series.resolve(metric, Map.of("host", host));
  }

  /** Each of many short tags is two objects. */
  @Test
  void manyTagsCountAsTheyTakeMoreMemory() {
    Map<String, String> few = new HashMap<>();
    Map<String, String> many = new HashMap<>();
    for (int i = 0; i < 1000; i++) {
      many.put("k" + i, "v");
    }
    for (int i = 0; i < 10; i++) {
      few.put("k" + i, "v");
    }
    assertThat(series.resolve("m", few)).isSameAs(series.resolve("m", few));
    assertThat(series.resolve("m", many)).isNotSameAs(series.resolve("m", many));
  }

  @Test
  void theyCountAsOftenAsTheyTakeMoreMemory() {
    String long2 = "a".repeat(2_000);
    String long30 = "a".repeat(30_000);
    assertThat(resolve("m", "usual")).isSameAs(resolve("m", "usual"));
    assertThat(resolve("m", long2)).isSameAs(resolve("m", long2));
    assertThat(resolve("m", long30)).isNotSameAs(resolve("m", long30));
    assertThat(resolve(long30, "usual")).isNotSameAs(resolve(long30, "usual"));
  }
}
