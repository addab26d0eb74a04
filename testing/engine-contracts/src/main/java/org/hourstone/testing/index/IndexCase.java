package org.hourstone.testing.index;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.hourstone.Settings;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.codec.RowKey;
import org.hourstone.index.Condition;
import org.hourstone.index.IndexRebuild;
import org.hourstone.index.SeriesSet;
import org.hourstone.kv.Family;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.Scan;
import org.hourstone.kv.Trait;
import org.hourstone.table.TableProgress;
import org.hourstone.testing.DatabaseCase;
import org.hourstone.uid.UidKind;
import org.junit.jupiter.api.AfterEach;

/**
 * A database with a series index over the store under test, other databases over it, and what the
 * index and the data table say of a metric.
 */
abstract class IndexCase extends DatabaseCase {
  static final Instant START = Instant.ofEpochSecond(1_500_001_200);

  private final List<Tsdb> others = new ArrayList<>();

  @AfterEach
  final void closeOthers() {
    others.forEach(Tsdb::close);
  }

  @Override
  protected final TsdbOptions options() {
    return TsdbOptions.defaults()
        .withClock(fixture.clock())
        .with(Settings.CREATE_TABLES, "true")
        .with(Settings.FLUSH_INTERVAL, "0")
        .with(Settings.COMPACTION_BACKGROUND, "false")
        .with(Settings.HISTOGRAMS_CONFIG, "{\"org.hourstone.histogram.SimpleHistogramCodec\": 42}")
        .with(Settings.INDEX_ENABLE, "true");
  }

  final Tsdb tsdb(TsdbOptions options) {
    return over(store, options);
  }

  final Tsdb withoutIndex() {
    return tsdb(options().with(Settings.INDEX_ENABLE, "false"));
  }

  final Tsdb over(KeyValueStore other, TsdbOptions options) {
    Tsdb made = Tsdb.over(other, options);
    others.add(made);
    return made;
  }

  static void put(Tsdb to, String metric, Tags tags) {
    to.put(metric, START, 1, tags);
    to.flush();
  }

  static Tags host(int i) {
    return Tags.of("host", "h" + i);
  }

  /**
   * Has the values of the first hosts UIDs, in few requests: one by one they take long on HBase.
   */
  static void nameHosts(Tsdb to, int count) {
    List<String> names = IntStream.range(0, count).mapToObj(i -> "h" + i).toList();
    to.uids().uidsForWriting(UidKind.TAGV, names);
  }

  /** The metric's series by the index, in hex; empty if it can't tell. */
  static Optional<Set<String>> indexed(Tsdb of, String metric, Condition... demands) {
    byte[] uid = of.uids().find(UidKind.METRIC, metric);
    return uid == null
        ? Optional.of(Set.of())
        : of.index().match(uid, List.of(demands)).map(IndexCase::texts);
  }

  private static Set<String> texts(SeriesSet series) {
    Set<String> texts = new TreeSet<>();
    series.forEach(tsuid -> assertThat(texts.add(HexFormat.of().formatHex(tsuid))).isTrue());
    return texts;
  }

  /** The metric's series by the tables of data. */
  final Set<String> scanned(Tsdb of, String metric) {
    byte[] uid = of.uids().uid(UidKind.METRIC, metric);
    RowKey keys = new RowKey(of.engine().options().schema());
    Set<String> found = new TreeSet<>();
    Family family = of.engine().tables().points();
    try (RowCursor rows = store.scan(family, Scan.all())) {
      for (Row row = rows.next(); row != null; row = rows.next()) {
        if (keys.isSeriesRow(row.key()) && keys.isOfMetric(row.key(), uid)) {
          found.add(HexFormat.of().formatHex(keys.tsuid(row.key())));
        }
      }
    }
    return found;
  }

  final void checkEqual(Tsdb of, String metric) {
    assertThat(indexed(of, metric)).contains(scanned(of, metric));
  }

  final IndexRebuild.Report rebuild(Tsdb of) {
    return of.index().rebuild(listener(() -> {}, () -> {})).run();
  }

  /** The time that a rebuild waits passes at once. */
  final IndexRebuild.Listener listener(Runnable reached, Runnable waits) {
    return new IndexRebuild.Listener() {
      @Override
      public void progress(TableProgress progress) {
        reached.run();
      }

      @Override
      public void waiting(long seconds) {
        waits.run();
        fixture.clock().advance(Duration.ofSeconds(seconds));
      }
    };
  }

  /** A store as it is to several processes. */
  static class SharedStore extends ForwardingStore {
    final AtomicInteger scansOfIndex = new AtomicInteger();

    SharedStore(KeyValueStore store) {
      super(store);
    }

    @Override
    public Set<Trait> traits() {
      Set<Trait> traits = new HashSet<>(super.traits());
      traits.add(Trait.SHARED);
      return traits;
    }

    @Override
    public RowCursor scan(Family family, Scan scan) {
      if (family.table().equals("tsdb-index")) {
        scansOfIndex.incrementAndGet();
      }
      return super.scan(family, scan);
    }

    @Override
    public void close() {
      // The contract closes the store.
    }
  }
}
