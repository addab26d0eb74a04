package org.hourstone.testing.index;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.hourstone.Settings;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.index.IndexRebuild;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.query.Explanation;
import org.hourstone.query.Query;
import org.hourstone.query.SeriesCursor;
import org.hourstone.testing.TsdbCase;
import org.junit.jupiter.api.Test;

/** Queries have the same results with and without the series index, whatever runs concurrently. */
public abstract class IndexedQueriesContract extends TsdbCase {
  private static final List<String> FILTERS =
      List.of(
          "host=h1",
          "host=h1|h2|h17",
          "host=*",
          "host=h1*",
          "host=wildcard(*7)",
          "host=iliteral_or(H3|H4)",
          "host=not_literal_or(h1|h2)",
          "host=not_iliteral_or(H1)",
          "host=regexp(^h[0-4]$)",
          "dc=lga",
          "dc=*",
          "dc=not_key()",
          "dc=not_literal_or(lga)",
          "rack=r0",
          "rack=not_key()");

  private Tsdb withoutIndex() {
    return Tsdb.over(store, db.engine().options().with(Settings.INDEX_ENABLE, "false"));
  }

  @Test
  void answersAreTheSameWithAndWithoutTheIndex() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    with(Settings.INDEX_ENABLE, "true");
    for (int i = 0; i < 200; i++) {
      TreeMap<String, String> tags = new TreeMap<>();
      tags.put("host", "h" + i);
      if (random.nextBoolean()) {
        tags.put("dc", random.nextBoolean() ? "lga" : "sjc");
      }
      if (random.nextInt(3) == 0) {
        tags.put("rack", "r" + random.nextInt(3));
      }
      db.put("m", START.plusSeconds(random.nextInt(9000)), i, Tags.of(tags));
    }
    db.flush();
    AtomicLong rowsWith = new AtomicLong();
    AtomicLong rowsWithout = new AtomicLong();
    try (Tsdb plain = withoutIndex()) {
      for (int i = 0; i < 200; i++) {
        String expression = expression(random);
        assertThat(answer(db, expression, rowsWith))
            .as("%s, seed %d", expression, seed)
            .isEqualTo(answer(plain, expression, rowsWithout));
      }
    }
    assertThat(rowsWith.get()).as("rows read, seed %d", seed).isLessThan(rowsWithout.get());
  }

  /** Keys asked for, of whatever table. */
  private static final class CountingStore extends ForwardingStore {
    final AtomicLong keys = new AtomicLong();

    CountingStore(KeyValueStore store) {
      super(store);
    }

    @Override
    public List<Row> get(Family family, List<byte[]> rows, Columns columns) {
      keys.addAndGet(rows.size());
      return super.get(family, rows, columns);
    }

    @Override
    public void close() {
      // The case closes the store.
    }
  }

  private Query overYears(String expression) {
    return Query.parse(expression).between(START, START.plus(Duration.ofDays(20 * 365)));
  }

  @Test
  void aSeriesIsReadByItsKeysHoweverLongTheRange() {
    with(Settings.INDEX_ENABLE, "true");
    for (int year : new int[] {0, 3, 19}) {
      for (int i = 0; i < 100; i++) {
        db.put("m", START.plus(Duration.ofDays(year * 365L)), i, Tags.of("host", "h" + i));
      }
    }
    db.flush();
    Query one = overYears("none:m{host=h7}");
    Query tsuid =
        Query.tsuids(List.of("000001000001000008"))
            .between(START, START.plus(Duration.ofDays(20 * 365)));
    CountingStore counting = new CountingStore(store);
    try (Tsdb counted = Tsdb.over(counting, db.engine().options());
        Tsdb plain = withoutIndex()) {
      for (Query query : List.of(one, tsuid)) {
        counting.keys.set(0);
        Explanation explained = counted.explain(query);
        assertThat(explained.parts().get(0).series().known()).isEqualTo(1);
        assertThat(explained.cost().rows()).isEqualTo(3);
        assertThat(counting.keys.get()).describedAs("of 175,200 hours").isLessThan(20_000);
        assertThat(answer(counted, query, new AtomicLong()))
            .isEqualTo(answer(plain, query, new AtomicLong()))
            .hasSize(1);
      }
    }
  }

  @Test
  void seriesAreScannedForIfFewHaveRowsAtATime() {
    with(Settings.INDEX_ENABLE, "true");
    for (int i = 0; i < 300; i++) { // as of jobs that run for an hour each
      db.put("m", START.plus(Duration.ofHours(2L * i)), i, Tags.of("host", "h" + i));
    }
    db.flush();
    Query some = overYears("none:m{host=h7|h9}");
    Explanation.Part part = db.explain(some).parts().get(0);
    assertThat(part.series().known()).isEqualTo(-1);
    assertThat(part.series().why()).contains("2 of 300 series", "scanning is cheaper");
    try (Tsdb plain = withoutIndex()) {
      assertThat(answer(db, some, new AtomicLong()))
          .isEqualTo(answer(plain, some, new AtomicLong()))
          .hasSize(2);
    }
  }

  private static String expression(Random random) {
    List<String> filters = new ArrayList<>();
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      filters.add(FILTERS.get(random.nextInt(FILTERS.size())));
    }
    String braces = "{" + String.join(",", filters) + "}";
    return (random.nextBoolean() ? "none:" : "sum:")
        + (random.nextInt(4) == 0 ? "explicit_tags:" : "")
        + "m"
        + (random.nextBoolean() ? braces : "{}" + braces);
  }

  private static List<String> answer(Tsdb db, String expression, AtomicLong rows) {
    return answer(db, query(expression), rows);
  }

  private static List<String> answer(Tsdb db, Query query, AtomicLong rows) {
    List<String> answer = new ArrayList<>();
    try (SeriesCursor cursor = db.query(query)) {
      cursor.forEach(series -> answer.add(text(series)));
      rows.addAndGet(cursor.use().rows());
    }
    return answer;
  }

  @Test
  void aStoredPointIsFoundThroughTheIndexBesideWritersAndRebuilds() throws Exception {
    with(Settings.INDEX_ENABLE, "true");
    int writers = 2;
    int each = 150;
    AtomicBoolean done = new AtomicBoolean();
    List<AtomicInteger> stored = new ArrayList<>();
    ExecutorService threads = Executors.newFixedThreadPool(writers + 1);
    try {
      List<Future<?>> writing = new ArrayList<>();
      for (int writer = 0; writer < writers; writer++) {
        AtomicInteger count = new AtomicInteger();
        String prefix = "w" + writer + "-";
        stored.add(count);
        writing.add(
            threads.submit(
                () -> {
                  for (int i = 0; i < each; i++) {
                    db.put("m", START, i, Tags.of("host", prefix + i)).join();
                    count.set(i + 1);
                  }
                }));
      }
      Future<?> rebuilding =
          threads.submit(
              () -> {
                while (!done.get()) {
                  db.index().rebuild(IndexRebuild.Listener.NONE).run();
                }
              });
      Random random = new Random(1);
      Consumer<Integer> look =
          writer -> {
            int known = stored.get(writer).get();
            if (known > 0) {
              String host = "w" + writer + "-" + random.nextInt(known);
              try (SeriesCursor cursor = db.query(query("none:m{host=" + host + "}"))) {
                assertThat(cursor.next()).as(host).isNotNull();
              }
            }
          };
      while (!writing.stream().allMatch(Future::isDone)) {
        look.accept(0);
        look.accept(1);
      }
      for (int i = 0; i < each; i++) {
        look.accept(i % writers);
      }
      done.set(true);
      rebuilding.get();
      for (Future<?> each1 : writing) {
        each1.get();
      }
    } finally {
      done.set(true);
      threads.shutdownNow();
    }
    db.flush();
    try (Tsdb plain = withoutIndex()) {
      Query all = query("none:m{host=*}");
      assertThat(count(db, all)).isEqualTo(count(plain, all)).isEqualTo(2 * each);
    }
  }

  private static int count(Tsdb db, Query query) {
    int count = 0;
    try (SeriesCursor cursor = db.query(query)) {
      while (cursor.next() != null) {
        count++;
      }
    }
    return count;
  }
}
