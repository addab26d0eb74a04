package org.hourstone;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Family;
import org.hourstone.kv.FamilySpec;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.kv.SchemaMode;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.hourstone.query.Query;
import org.hourstone.query.ResultSeries;
import org.hourstone.query.SeriesCursor;
import org.hourstone.rewrite.CompactionListener;
import org.hourstone.rewrite.CompactionScope;
import org.hourstone.testkit.ManualClock;
import org.hourstone.testkit.store.ModelStore;
import org.jspecify.annotations.Nullable;

/** A new store on the heap that one process owns, handles on it, and copies. */
abstract class OwnedStoreCase {
  static final long HOUR = 1_356_998_400L;
  static final Tags TAGS = Tags.of("h", "a");

  final ManualClock clock = new ManualClock(Instant.ofEpochSecond(HOUR));
  final KeyValueStore store = new ModelStore(clock);

  final TsdbOptions options() {
    return TsdbOptions.defaults()
        .withClock(clock)
        .with(Settings.HEAD, "true")
        .with(Settings.COMPACTION_BACKGROUND, "false")
        .with(MemorySettings.WRITE_ATTEMPTS, "1")
        .with(MemorySettings.WRITE_THREADS, "2");
  }

  static TsdbOptions withoutHead(TsdbOptions options) {
    return options.with(Settings.HEAD, "false");
  }

  static void put(Tsdb db, long second, long value) {
    db.put("m", Instant.ofEpochSecond(HOUR + second), value, TAGS).join();
  }

  static Query all() {
    return Query.parse("none:m{h=*}")
        .between(Instant.ofEpochSecond(HOUR), Instant.ofEpochSecond(HOUR + 7200));
  }

  /** Seconds and values. */
  static Map<Long, String> points(Tsdb db) {
    Map<Long, String> points = new TreeMap<>();
    try (SeriesCursor cursor = db.query(all())) {
      for (ResultSeries series = cursor.next(); series != null; series = cursor.next()) {
        for (int i = 0; i < series.size(); i++) {
          points.put(series.millis(i) / 1000 - HOUR, series.text(i));
        }
      }
    }
    return points;
  }

  static void compact(Tsdb db) {
    db.flush();
    var unused = db.compactor().run(CompactionScope.everything(), CompactionListener.NONE);
  }

  /** Another object with the same data, which is no wrapper that can be recognized. */
  static KeyValueStore handleOn(KeyValueStore store) {
    return (KeyValueStore)
        Proxy.newProxyInstance(
            KeyValueStore.class.getClassLoader(),
            new Class<?>[] {KeyValueStore.class},
            (proxy, method, arguments) -> {
              try {
                return method.invoke(store, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  /** A store with the same cells now. */
  final KeyValueStore copyOf(KeyValueStore original) {
    KeyValueStore copy = new ModelStore(clock);
    for (Family family : original.families()) {
      copy.ensure(List.of(new FamilySpec(family, false)), SchemaMode.CREATE);
      try (RowCursor rows = original.scan(family, Scan.all())) {
        for (Row row = rows.next(); row != null; row = rows.next()) {
          List<org.hourstone.kv.Change> puts = new ArrayList<>();
          for (int i = 0; i < row.size(); i++) {
            puts.add(new Cell(row.qualifier(i), row.value(i), row.writeTime(i)).put());
          }
          copy.mutate(family, List.of(new RowMutation(row.key(), puts)));
        }
      }
    }
    return copy;
  }

  /** A store that refuses to change. */
  static KeyValueStore readOnly(KeyValueStore store) {
    return new ForwardingStore(store) {
      private StoreException refusal() {
        return new StoreException(Outcome.REJECTED, "read-only");
      }

      @Override
      public void mutate(Family family, List<RowMutation> batch) {
        throw refusal();
      }

      @Override
      public boolean compareAndSet(
          Family family,
          byte[] row,
          byte[] qualifier,
          byte @Nullable [] expected,
          byte @Nullable [] update) {
        throw refusal();
      }

      @Override
      public long increment(Family family, byte[] row, byte[] qualifier, long delta) {
        throw refusal();
      }

      @Override
      public boolean replaceCells(Family family, Row observed, List<Cell> replacement) {
        throw refusal();
      }
    };
  }
}
