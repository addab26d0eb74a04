package org.hourstone.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.hourstone.Settings;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.annotation.Annotation;
import org.hourstone.codec.RowKey;
import org.hourstone.histogram.Bucket;
import org.hourstone.histogram.SimpleHistogram;
import org.hourstone.index.Condition;
import org.hourstone.index.IndexRebuild;
import org.hourstone.index.NameTest;
import org.hourstone.index.SeriesSet;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.Trait;
import org.hourstone.testkit.ConcurrentRunner;
import org.hourstone.testkit.StoreFixture;
import org.hourstone.testkit.store.FaultPlan;
import org.hourstone.testkit.store.FaultPlan.Fault;
import org.hourstone.testkit.store.FaultyStore;
import org.hourstone.uid.UidKind;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The series index over a store: what it answers has every series that was written before, whoever
 * wrote it, whatever failed, and whatever else went on.
 */
public abstract class IndexContract {
  private static final Instant START = Instant.ofEpochSecond(1_500_001_200);
  private static final Family INDEX = new Family("tsdb-index", "i");
  private static final byte[] INDEX_QUALIFIER = {'i'};

  @TempDir private Path directory;
  private StoreFixture fixture;
  private KeyValueStore store;
  private final List<Tsdb> opened = new ArrayList<>();
  private Tsdb db;

  /** Opens the store under test, empty. */
  protected abstract KeyValueStore open(StoreFixture fixture);

  @BeforeEach
  final void openDatabase() {
    fixture = StoreFixture.in(directory, 1);
    store = open(fixture);
    db = tsdb(options());
  }

  @AfterEach
  final void closeDatabases() {
    opened.forEach(Tsdb::close);
    store.close();
  }

  private TsdbOptions options() {
    return TsdbOptions.defaults()
        .withClock(fixture.clock())
        .with(Settings.CREATE_TABLES, "true")
        .with(Settings.FLUSH_INTERVAL, "0")
        .with(Settings.COMPACTION_BACKGROUND, "false")
        .with(Settings.HISTOGRAMS_CONFIG, "{\"org.hourstone.histogram.SimpleHistogramCodec\": 42}")
        .with(Settings.INDEX_ENABLE, "true");
  }

  private Tsdb tsdb(TsdbOptions options) {
    Tsdb made = Tsdb.over(store, options);
    opened.add(made);
    return made;
  }

  private Tsdb withoutIndex() {
    return tsdb(options().with(Settings.INDEX_ENABLE, "false"));
  }

  private static void put(Tsdb to, String metric, Tags tags) {
    to.put(metric, START, 1, tags);
    to.flush();
  }

  private static Tags host(int i) {
    return Tags.of("host", "h" + i);
  }

  /** The metric's series by the index, in hex; empty if it can't tell. */
  private static Optional<Set<String>> indexed(Tsdb of, String metric, Condition... demands) {
    byte[] uid = of.uids().find(UidKind.METRIC, metric);
    return uid == null
        ? Optional.of(Set.of())
        : of.index().match(uid, List.of(demands)).map(IndexContract::texts);
  }

  private static Set<String> texts(SeriesSet series) {
    Set<String> texts = new TreeSet<>();
    series.forEach(tsuid -> assertThat(texts.add(HexFormat.of().formatHex(tsuid))).isTrue());
    return texts;
  }

  /** The metric's series by the tables of data. */
  private Set<String> scanned(Tsdb of, String metric) {
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

  private void checkEqual(Tsdb of, String metric) {
    assertThat(indexed(of, metric)).contains(scanned(of, metric));
  }

  private IndexRebuild.Report rebuild(Tsdb of) {
    return of.index().rebuild(listener(() -> {}, () -> {})).run();
  }

  /** The time that a rebuild waits passes at once. */
  private IndexRebuild.Listener listener(Runnable reached, Runnable waits) {
    return new IndexRebuild.Listener() {
      @Override
      public void reached(long rows, long entered) {
        reached.run();
      }

      @Override
      public void waiting(long seconds) {
        waits.run();
        fixture.clock().advance(Duration.ofSeconds(seconds));
      }
    };
  }

  @Test
  final void theIndexOfANewDatabaseIsCompleteFromTheFirstPointOn() {
    assertThat(db.index().status().text()).isEqualTo("empty");
    put(db, "m", host(1));
    put(db, "m", Tags.of("host", "h2", "dc", "lga"));
    put(db, "other", host(1));
    assertThat(db.index().status().complete()).isTrue();
    assertThat(scanned(db, "m")).hasSize(2);
    checkEqual(db, "m");
    checkEqual(db, "other");
    byte[] dc = db.uids().uid(UidKind.TAGK, "dc");
    byte[] h1 = db.uids().uid(UidKind.TAGV, "h1");
    byte[] host = db.uids().uid(UidKind.TAGK, "host");
    assertThat(indexed(db, "m", new Condition.Present(dc)).orElseThrow()).hasSize(1);
    assertThat(indexed(db, "m", new Condition.AnyOf(host, List.of(h1))).orElseThrow()).hasSize(1);
    assertThat(
            indexed(db, "m", new Condition.Absent(dc), new Condition.NoneOf(host, List.of(h1)))
                .orElseThrow())
        .isEmpty();
    List<String> metrics = new ArrayList<>();
    db.index()
        .forEachMetric(
            (uid, series) -> metrics.add(db.uids().name(UidKind.METRIC, uid) + " " + series));
    assertThat(metrics).containsExactly("m 2", "other 1");
  }

  @Test
  final void whateverIsPutInTheDataTableIsEntered() {
    put(db, "m", host(0));
    assertThat(indexed(db, "m").orElseThrow()).hasSize(1);
    db.put("m", START, SimpleHistogram.of(Map.of(new Bucket(0, 1), 5L)), host(1)).join();
    byte[] annotated = db.writer().series("m", host(2).asMap()).tsuid();
    db.annotations()
        .save(
            new Annotation(
                HexFormat.of().withUpperCase().formatHex(annotated),
                START.getEpochSecond(),
                0,
                "why",
                "",
                null),
            true);
    db.putLine("put m 1500001200 1 host=h3").join();
    checkEqual(db, "m");
    assertThat(indexed(db, "m").orElseThrow()).hasSize(4);
  }

  @Test
  final void anOldDatabaseIsNotAnsweredForUntilTheIndexIsRebuilt() {
    Tsdb old = withoutIndex();
    for (int i = 0; i < 20; i++) {
      put(old, "m", host(i));
    }
    put(db, "m", host(100));
    assertThat(indexed(db, "m")).isEmpty();
    assertThat(db.index().status().text()).isEqualTo("incomplete");
    IndexRebuild.Report report = rebuild(db);
    assertThat(report.complete()).isTrue();
    assertThat(report.entered()).isEqualTo(20);
    checkEqual(db, "m");
    assertThat(scanned(db, "m")).hasSize(21);
    checkEqual(tsdb(options()), "m");
    assertThat(rebuild(db).entered()).isZero();
  }

  @Test
  final void whoWritesWithoutTheIndexMarksItIncomplete() {
    put(db, "m", host(1));
    checkEqual(db, "m");
    Tsdb other = withoutIndex();
    put(other, "m", host(2));
    assertThat(indexed(db, "m")).isEmpty();
    assertThat(rebuild(db).complete()).isTrue();
    checkEqual(db, "m");
    // Who has looked goes on without looking, for a while.
    fixture.clock().advance(Duration.ofSeconds(60));
    put(other, "m", host(3));
    assertThat(indexed(db, "m")).isEmpty();
  }

  @Test
  final void aRebuildingIsVoidIfSomebodyWritesWithoutTheIndex() {
    Tsdb old = withoutIndex();
    for (int i = 0; i < 1000; i++) {
      old.put("m", START, i, host(i));
    }
    old.flush();
    AtomicInteger told = new AtomicInteger();
    IndexRebuild rebuild =
        db.index()
            .rebuild(
                listener(
                    () -> {
                      told.incrementAndGet();
                      put(withoutIndex(), "m", host(2000));
                    },
                    () -> {}));
    assertThat(rebuild.run().complete()).isFalse();
    assertThat(told).hasPositiveValue();
    assertThat(indexed(db, "m")).isEmpty();
    assertThat(rebuild(db).complete()).isTrue();
    checkEqual(db, "m");
    assertThat(scanned(db, "m")).hasSize(1001);
  }

  /** A store as it is to several processes. */
  private static class SharedStore extends ForwardingStore {
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

  private Tsdb over(KeyValueStore other, TsdbOptions options) {
    Tsdb made = Tsdb.over(other, options);
    opened.add(made);
    return made;
  }

  @Test
  final void noSeriesIsHiddenBesideAProcessThatHasLookedBeforeARebuild() {
    SharedStore shared = new SharedStore(store);
    Tsdb off = over(shared, options().with(Settings.INDEX_ENABLE, "false"));
    Tsdb on = over(shared, options());
    put(off, "m", host(0)); // looks now, and not again for a while
    AtomicInteger next = new AtomicInteger();
    Runnable write = () -> put(off, "m", host(next.incrementAndGet()));
    IndexRebuild.Report report = on.index().rebuild(listener(() -> {}, write)).run();
    assertThat(report.complete()).isTrue();
    assertThat(scanned(on, "m")).hasSize(2);
    checkEqual(on, "m");
    write.run();
    assertThat(indexed(on, "m")).describedAs("the process looks again").isEmpty();

    report = on.index().rebuild(listener(() -> {}, write)).run();
    assertThat(report.complete()).isTrue();
    checkEqual(on, "m");
    assertThat(on.index().rebuild(listener(() -> {}, () -> fail("waits"))).run().complete())
        .isTrue();
    checkEqual(on, "m");
  }

  @Test
  final void aRowPutWhileARebuildIsCompletedIsNotHidden() {
    put(withoutIndex(), "m", host(0));
    AtomicReference<Runnable> beforePut = new AtomicReference<>(() -> {});
    KeyValueStore slow =
        new ForwardingStore(store) {
          @Override
          public void mutate(Family family, List<RowMutation> batch) {
            if (family.equals(db.engine().tables().points())) {
              beforePut.getAndSet(() -> {}).run();
            }
            super.mutate(family, batch);
          }

          @Override
          public void close() {
            // The contract closes the store.
          }
        };
    Tsdb off = over(slow, options().with(Settings.INDEX_ENABLE, "false"));
    put(off, "m", host(1));
    beforePut.set(() -> assertThat(rebuild(db).complete()).isTrue());
    put(off, "m", host(2));
    assertThat(indexed(db, "m")).isEmpty();
    assertThat(rebuild(db).complete()).isTrue();
    checkEqual(db, "m");
  }

  @Test
  final void aProcessThatFoundNoIndexFindsOneThatIsMadeBeforeItsFirstRow() {
    SharedStore shared = new SharedStore(store);
    TsdbOptions later = options().with(Settings.INDEX_TABLE, "later");
    AtomicReference<Runnable> beforeFirst = new AtomicReference<>();
    KeyValueStore slow =
        new SharedStore(store) {
          @Override
          public void mutate(Family family, List<RowMutation> batch) {
            if (family.equals(db.engine().tables().points())) {
              beforeFirst.getAndSet(() -> {}).run();
            }
            super.mutate(family, batch);
          }
        };
    Tsdb off = over(slow, later.with(Settings.INDEX_ENABLE, "false"));
    List<Tsdb> on = new ArrayList<>();
    beforeFirst.set(
        () -> {
          Tsdb made = over(shared, later);
          made.writer().series("m", host(0).asMap());
          made.engine().store().mutate(made.engine().tables().points(), List.of());
          on.add(made);
          throw new StoreException(StoreException.Outcome.REJECTED, "planted");
        });
    assertThatThrownBy(() -> put(off, "m", host(1))).hasStackTraceContaining("planted");
    put(off, "m", host(2));
    assertThat(indexed(on.get(0), "m")).isEmpty();
  }

  /** Of the announcements of a metric. */
  private List<Long> announced(String metric) {
    byte[] uid = db.uids().uid(UidKind.METRIC, metric);
    List<Long> numbers = new ArrayList<>();
    try (RowCursor rows = store.scan(INDEX, Scan.prefix(joined(3, uid)))) {
      for (Row row = rows.next(); row != null; row = rows.next()) {
        numbers.add(ByteBuffer.wrap(row.key(), 1 + uid.length, Long.BYTES).getLong());
      }
    }
    return numbers;
  }

  private static byte[] joined(int prefix, byte[] uid) {
    return ByteBuffer.allocate(1 + uid.length).put((byte) prefix).put(uid).array();
  }

  /** As if so many announcements had been made since. */
  private void skipAnnouncements(String metric, long count) {
    byte[] uid = db.uids().uid(UidKind.METRIC, metric);
    store.increment(INDEX, joined(1, uid), INDEX_QUALIFIER, count);
  }

  /** What happens, once, when a process has taken a number and not made its announcement. */
  private KeyValueStore announcing(Runnable action) {
    AtomicReference<Runnable> next = new AtomicReference<>(action);
    return new SharedStore(store) {
      @Override
      public boolean compareAndSet(
          Family family,
          byte[] row,
          byte[] qualifier,
          byte @Nullable [] expected,
          byte @Nullable [] update) {
        if (family.equals(INDEX) && row[0] == 3) {
          next.getAndSet(() -> {}).run();
        }
        return super.compareAndSet(family, row, qualifier, expected, update);
      }
    };
  }

  @Test
  final void oldAnnouncementsAreRemovedThoughTheyWereVoidedOrTheirTurnWasMissed() {
    put(db, "m", host(0));
    checkEqual(db, "m");
    put(over(announcing(() -> checkEqual(db, "m")), options()), "m", host(1));
    assertThat(announced("m")).describedAs("2 is void").containsExactly(1L, 2L, 3L);
    skipAnnouncements("m", 1276);
    checkEqual(db, "m");
    // The number 1280, at which old ones are removed, is voided.
    put(over(announcing(() -> checkEqual(db, "m")), options()), "m", host(2));
    assertThat(announced("m")).allMatch(number -> number >= 256).contains(1280L, 1281L);
    checkEqual(db, "m");
    assertThat(scanned(db, "m")).hasSize(3);
  }

  @Test
  final void anAnnouncementThatIsMadeWhenItsNumberIsOldIsRepeated() {
    put(db, "m", host(0));
    checkEqual(db, "m");
    Runnable later =
        () -> {
          checkEqual(db, "m"); // voids its number, 2
          skipAnnouncements("m", 1277);
          put(db, "m", host(2)); // removes old ones
          assertThat(announced("m")).containsExactly(1280L);
        };
    Runnable elsewhere = () -> CompletableFuture.runAsync(later).join(); // a writer may not wait
    put(over(announcing(elsewhere), options()), "m", host(1));
    assertThat(announced("m")).contains(1281L);
    checkEqual(db, "m");
    assertThat(scanned(db, "m")).hasSize(3);
  }

  @Test
  final void whatOthersAnnounceIsAddedToTheCopy() {
    SharedStore shared = new SharedStore(store);
    Tsdb reader = over(shared, options());
    for (int i = 0; i < 100; i++) {
      db.put("m", START, i, host(i));
    }
    db.flush();
    checkEqual(reader, "m");
    int scans = shared.scansOfIndex.get();
    Tsdb second = tsdb(options());
    for (int i = 100; i < 130; i++) {
      put(i % 3 == 0 ? reader : i % 3 == 1 ? second : db, "m", host(i));
      if (i % 4 == 0) {
        checkEqual(reader, "m");
      }
    }
    checkEqual(reader, "m");
    assertThat(shared.scansOfIndex.get()).isEqualTo(scans);
    assertThat(scanned(reader, "m")).hasSize(130);
    for (int i = 130; i < 130 + 700; i++) {
      put(second, "m", host(i));
    }
    checkEqual(reader, "m");
    assertThat(shared.scansOfIndex.get()).describedAs("it was too far behind").isGreaterThan(scans);
  }

  @Test
  final void anAnnouncementThatAReaderDoesNotWaitForIsRepeated() {
    put(db, "m", host(0));
    checkEqual(db, "m");
    List<Integer> sizes = new ArrayList<>();
    KeyValueStore slow =
        new SharedStore(store) {
          @Override
          public boolean compareAndSet(
              Family family,
              byte[] row,
              byte[] qualifier,
              byte @Nullable [] expected,
              byte @Nullable [] update) {
            if (family.table().equals("tsdb-index") && row[0] == 3 && sizes.size() < 2) {
              sizes.add(indexed(db, "m").orElseThrow().size());
            }
            return super.compareAndSet(family, row, qualifier, expected, update);
          }
        };
    put(over(slow, options()), "m", host(1));
    assertThat(sizes).describedAs("read between the number and the announcement").hasSize(2);
    checkEqual(db, "m");
    assertThat(scanned(db, "m")).hasSize(2);
  }

  @Test
  final void whetherRowsAreInTheirOwnBucketsIsKnownAsLongAsTheNumberStays() {
    TsdbOptions seven = options().with(Settings.SALT_WIDTH, "1").with(Settings.SALT_BUCKETS, "7");
    TsdbOptions nineteen = seven.with(Settings.SALT_BUCKETS, "19");
    SharedStore shared = new SharedStore(store);
    Tsdb first = over(shared, seven);
    assertThat(first.index().hasOwnBucketsOnly()).isFalse();
    put(first, "m", host(1));
    assertThat(first.index().hasOwnBucketsOnly()).isTrue();
    assertThat(over(shared, seven).index().hasOwnBucketsOnly()).isTrue();
    Tsdb other = over(shared, nineteen);
    assertThat(other.index().hasOwnBucketsOnly()).isFalse();
    put(other, "m", host(2));
    assertThat(first.index().hasOwnBucketsOnly()).isFalse();
    assertThat(other.index().hasOwnBucketsOnly()).isFalse();

    assertThat(rebuild(first).complete()).isTrue();
    assertThat(first.index().hasOwnBucketsOnly()).describedAs("rows of both").isFalse();
    byte[] row =
        new RowKey(other.engine().options().schema())
            .rowKey(other.writer().series("m", host(2).asMap()).tsuid(), START.getEpochSecond());
    byte[] moved =
        new RowKey(first.engine().options().schema())
            .rowKey(first.writer().series("m", host(2).asMap()).tsuid(), START.getEpochSecond());
    assertThat(moved).isNotEqualTo(row);
    remove(first, row);
    assertThat(rebuild(first).complete()).isTrue();
    assertThat(first.index().hasOwnBucketsOnly()).isTrue();
    put(other, "m", host(2)); // the rebuild took longer than the time between two looks
    assertThat(first.index().hasOwnBucketsOnly()).isFalse();

    remove(first, row);
    rebuild(first);
    first.engine().store().put(first.engine().tables().points(), row, new byte[2], new byte[1]);
    assertThat(first.index().hasOwnBucketsOnly()).describedAs("a row put as it is").isFalse();
  }

  @Test
  final void aRebuildAfterAnInterruptedOneWaitsForProcessesWithOtherBuckets() {
    TsdbOptions seven = options().with(Settings.SALT_WIDTH, "1").with(Settings.SALT_BUCKETS, "7");
    SharedStore shared = new SharedStore(store);
    Tsdb first = over(shared, seven);
    Tsdb other = over(shared, seven.with(Settings.SALT_BUCKETS, "19"));
    put(first, "m", host(1));
    put(other, "m", host(2)); // looks now, and not again for a while
    byte[] row =
        new RowKey(other.engine().options().schema())
            .rowKey(other.writer().series("m", host(2).asMap()).tsuid(), START.getEpochSecond());
    remove(first, row);
    IndexRebuild.Listener interrupting =
        new IndexRebuild.Listener() {
          @Override
          public void reached(long rows, long entered) {}

          @Override
          public void waiting(long seconds) {
            Thread.currentThread().interrupt();
          }
        };
    assertThatThrownBy(() -> first.index().rebuild(interrupting).run())
        .isInstanceOf(CancellationException.class);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(rebuild(first).complete()).isTrue();
    put(other, "m", host(2));
    assertThat(first.index().hasOwnBucketsOnly()).isFalse();
  }

  @Test
  final void aRebuildThatReadsFewerTablesLeavesTheBucketsOfOthers() {
    TsdbOptions seven = options().with(Settings.SALT_WIDTH, "1").with(Settings.SALT_BUCKETS, "7");
    TsdbOptions rollups =
        seven
            .with(Settings.ROLLUPS_ENABLE, "true")
            .with(Settings.ROLLUPS_CONFIG, RollupContract.SETTING);
    Tsdb before = tsdb(rollups.with(Settings.SALT_BUCKETS, "19"));
    byte[] tsuid = before.writer().series("m", host(1).asMap()).tsuid();
    byte[] row = new RowKey(before.engine().options().schema()).rowKey(tsuid, 0);
    before.engine().store().put(new Family("rollup", "t"), row, new byte[3], new byte[1]);
    Tsdb after = tsdb(rollups);
    assertThat(after.engine().keys().isInOwnBucket(row, tsuid)).isFalse();
    Tsdb pointsOnly = tsdb(seven);
    put(pointsOnly, "m", host(1));
    assertThat(rebuild(pointsOnly).complete()).isTrue();
    assertThat(after.index().hasOwnBucketsOnly()).isFalse();
  }

  @Test
  final void aRebuildBetweenTheReadsOfCounterAndStateHidesNothing() {
    AtomicReference<Runnable> between = new AtomicReference<>();
    KeyValueStore inOtherOrder =
        new SharedStore(store) {
          @Override
          public List<Row> get(Family family, List<byte[]> rows, Columns columns) {
            Runnable action = rows.size() == 2 && rows.get(1)[0] == 1 ? between.get() : null;
            if (!family.table().equals("tsdb-index") || action == null) {
              return super.get(family, rows, columns);
            }
            between.set(null);
            Row second = super.get(family, rows.get(1), columns);
            action.run();
            return List.of(super.get(family, rows.get(0), columns), second);
          }
        };
    Tsdb reader = over(inOtherOrder, options());
    put(db, "m", host(0));
    checkEqual(reader, "m");
    put(withoutIndex(), "m", host(1));
    between.set(() -> assertThat(rebuild(db).complete()).isTrue());
    assertThat(indexed(reader, "m").orElse(scanned(db, "m"))).isEqualTo(scanned(db, "m"));
    checkEqual(reader, "m");
  }

  private void remove(Tsdb of, byte[] row) {
    store.mutate(
        of.engine().tables().points(), List.of(new RowMutation(row, new Change.DeleteRow())));
  }

  @Test
  final void whatOthersEnterIsSeenAtOnce() {
    Tsdb second = tsdb(options());
    for (int i = 0; i < 10; i++) {
      put(i % 2 == 0 ? db : second, "m", host(i));
      checkEqual(db, "m");
      checkEqual(second, "m");
    }
    assertThat(scanned(db, "m")).hasSize(10);
  }

  @Test
  final void aMetricThatDoesNotFitInMemoryIsNotAnsweredFor() {
    for (int i = 0; i < 2000; i++) {
      db.put("large", START, i, host(i));
    }
    db.put("small", START, 1, host(1));
    db.flush();
    checkEqual(db, "large");
    Tsdb tight = tsdb(options().with(Settings.INDEX_MEMORY, "16384"));
    assertThat(indexed(tight, "large")).isEmpty();
    checkEqual(tight, "small");
    assertThat(tight.index().status().bytesHeld()).isLessThan(16384);
  }

  @Test
  final void metricsThatWereNotUsedForLongMakeRoom() {
    Tsdb tight = tsdb(options().with(Settings.INDEX_MEMORY, "16384"));
    for (int i = 0; i < 100; i++) {
      tight.put("m" + i, START, i, host(i));
    }
    tight.flush();
    for (int i = 0; i < 100; i++) {
      checkEqual(tight, "m" + i);
    }
    assertThat(tight.index().status().metricsHeld()).isBetween(1, 99);
    assertThat(tight.index().status().bytesHeld()).isLessThan(16384);
    for (int i = 0; i < 100; i++) {
      checkEqual(tight, "m" + i);
    }
  }

  @Test
  final void theTestsOfNamesThatAMetricKeepsCountAsItsMemory() {
    Tsdb tight = tsdb(options().with(Settings.INDEX_MEMORY, "131072"));
    put(tight, "m", host(1));
    checkEqual(tight, "m");
    long before = tight.index().status().bytesHeld();
    askByName(tight, "m", "long".repeat(1000));
    assertThat(tight.index().status().bytesHeld() - before).isBetween(8000L, 9000L);
    for (int i = 0; i < 16; i++) {
      askByName(tight, "m", "short" + i);
    }
    assertThat(tight.index().status().bytesHeld() - before).isLessThan(8000);
    for (int i = 0; i < 40; i++) {
      put(tight, "m" + i, host(1));
      askByName(tight, "m" + i, "long".repeat(1000));
    }
    assertThat(tight.index().status().metricsHeld()).isBetween(1, 39);
    assertThat(tight.index().status().bytesHeld()).isBetween(8000L, 131072L);
  }

  private static void askByName(Tsdb of, String metric, String test) {
    byte[] host = of.uids().uid(UidKind.TAGK, "host");
    Condition condition = new Condition.Matching(host, new AllPass(test));
    assertThat(indexed(of, metric, condition).orElseThrow()).hasSize(1);
  }

  private record AllPass(String text) implements NameTest {
    @Override
    public BitSet passing(List<byte[]> tagvs) {
      BitSet all = new BitSet();
      all.set(0, tagvs.size());
      return all;
    }

    @Override
    public BooleanSupplier validity() {
      return () -> true;
    }
  }

  @Test
  final void aSeriesThatIsFoundButNotEnteredEndsTheUseOfTheIndex() {
    put(db, "m", host(1));
    byte[] known = db.writer().series("m", host(1).asMap()).tsuid();
    byte[] stranger = db.writer().series("m", host(2).asMap()).tsuid();
    assertThat(db.index().observed(List.of(known))).isTrue();
    checkEqual(db, "m");
    // As a program without the index does.
    byte[] row =
        new RowKey(db.engine().options().schema()).rowKey(stranger, START.getEpochSecond());
    store.put(db.engine().tables().points(), row, new byte[] {0, 0}, new byte[] {1});
    assertThat(indexed(db, "m").orElseThrow()).hasSize(1);
    assertThat(db.index().observed(List.of(known, stranger))).isFalse();
    assertThat(indexed(db, "m")).isEmpty();
    assertThat(db.index().status().problem()).contains("written past the index");
    rebuild(db);
    checkEqual(db, "m");
  }

  @Test
  final void withoutTheTableThereIsNoAnswerAndNothingFails() {
    Tsdb other =
        tsdb(
            options()
                .with(Settings.INDEX_ENABLE, "false")
                .with(Settings.INDEX_TABLE, "nosuchtable"));
    put(other, "m", host(1));
    assertThat(indexed(other, "m")).isEmpty();
    assertThat(other.index().status().text()).isEqualTo("absent");
    assertThatThrownBy(() -> rebuild(other)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  final void aTableForOtherUidWidthsIsNotUsed() {
    put(db, "m", host(1));
    Tsdb wider = tsdb(options().with(Settings.UID_WIDTH_TAGV, "4"));
    byte[] uid = db.uids().uid(UidKind.METRIC, "m");
    assertThat(wider.index().match(uid, List.of())).isEmpty();
    assertThatThrownBy(() -> wider.index().rebuild((rows, entered) -> {}))
        .hasMessageContaining("other UID widths");
  }

  @Test
  final void whicheverCallFailsNoAcknowledgedSeriesIsHidden() {
    put(db, "m", host(0));
    int next = 1;
    for (Fault fault : Fault.values()) {
      for (int call = 1; call <= 18; call++) {
        checkEqual(db, "m"); // holds a copy from before
        int host = next++;
        FaultPlan plan = new FaultPlan(call);
        TsdbOptions twoAttempts = options().with(Settings.WRITE_ATTEMPTS, "2");
        boolean stored = false;
        try (Tsdb faulty = Tsdb.over(new FaultyStore(store, plan), twoAttempts)) {
          faulty.writer().series("m", host(host).asMap()); // the UIDs are not what is tried here
          plan.failCall(call, fault);
          faulty.put("m", START, 1, host(host)).join();
          stored = true;
        } catch (StoreException e) {
          assertThat(e).hasMessageContaining("not stored");
        }
        String when = fault + " of call " + call;
        Set<String> found = indexed(db, "m").orElseThrow();
        assertThat(found).as(when).containsAll(scanned(db, "m"));
        assertThat(stored).as(when).isTrue();
        // An entry that was left pending is announced by whoever writes the series next.
        put(tsdb(options()), "m", host(host));
        checkEqual(db, "m");
      }
    }
  }

  @Test
  final void whateverFailsNoAcknowledgedSeriesIsHidden() {
    for (long seed = 1; seed <= 4; seed++) {
      String metric = "m" + seed;
      put(db, metric, host(-1));
      FaultPlan plan = new FaultPlan(seed);
      Random random = new Random(seed);
      Tsdb faulty =
          Tsdb.over(new FaultyStore(store, plan), options().with(Settings.WRITE_ATTEMPTS, "2"));
      plan.failAll(0.15);
      for (int i = 0; i < 60; i++) {
        try {
          faulty.put(metric, START.plusSeconds(i), i, host(random.nextInt(30)));
          if (i % 5 == 0) {
            faulty.flush();
          }
        } catch (StoreException e) {
          assertThat(e.outcome()).isNotNull(); // reported; the point may be there or not
        }
        Optional<Set<String>> found = indexed(db, metric);
        Set<String> written = scanned(db, metric);
        assertThat(found).describedAs("seed %d", seed).isPresent();
        // What was written between the two looks is announced by now.
        assertThat(indexed(db, metric).orElseThrow())
            .describedAs("seed %d", seed)
            .containsAll(written);
      }
      plan.calm();
      try {
        faulty.close();
      } catch (StoreException e) {
        assertThat(e).hasMessageContaining("not stored");
      }
      assertThat(plan.injected()).isPositive();
    }
  }

  @Test
  final void answersAreThoseOfTheDataTableWhileOthersWriteAndRebuild() throws Exception {
    Tsdb old = withoutIndex();
    for (int i = 0; i < 300; i++) {
      old.put("m", START, i, host(-1 - i));
    }
    old.flush();
    rebuild(db);
    List<Tsdb> writers = List.of(db, tsdb(options()));
    Tsdb reader = tsdb(options().with(Settings.INDEX_MEMORY, "1000000"));
    Set<String> acknowledged = new ConcurrentSkipListSet<>(scanned(db, "m"));
    AtomicInteger next = new AtomicInteger();
    AtomicInteger answers = new AtomicInteger();
    List<ConcurrentRunner.Repeated> tasks = new ArrayList<>();
    for (Tsdb writer : writers) {
      tasks.add(
          time -> {
            int host = next.incrementAndGet() % 2000;
            writer.put("m", START, 1, host(host)).join();
            byte[] tsuid = writer.writer().series("m", host(host).asMap()).tsuid();
            acknowledged.add(HexFormat.of().formatHex(tsuid));
          });
    }
    for (Tsdb asked : List.of(db, reader)) {
      tasks.add(
          time -> {
            Set<String> before = Set.copyOf(acknowledged);
            Optional<Set<String>> found = indexed(asked, "m");
            if (found.isPresent()) {
              answers.incrementAndGet();
              assertThat(found.get()).containsAll(before);
            }
          });
    }
    tasks.add(time -> assertThat(rebuild(writers.get(1)).complete()).isTrue());
    ConcurrentRunner.overlap(20, tasks);
    assertThat(answers).hasPositiveValue();
    checkEqual(db, "m");
    checkEqual(reader, "m");
  }

  @Test
  final void saltedRowsAreEnteredOnce() {
    Tsdb salted =
        tsdb(
            options()
                .with(Settings.SALT_WIDTH, "1")
                .with(Settings.SALT_BUCKETS, "5")
                .with(Settings.INDEX_ENABLE, "true"));
    for (int hour = 0; hour < 3; hour++) {
      for (int i = 0; i < 10; i++) {
        salted.put("m", START.plusSeconds(3600L * hour), i, host(i));
      }
    }
    salted.flush();
    checkEqual(salted, "m");
    assertThat(scanned(salted, "m")).hasSize(10);
    byte[] tsuid = salted.writer().series("m", host(3).asMap()).tsuid();
    assertThat(salted.index().contains(tsuid)).contains(true);
    tsuid[tsuid.length - 1] = 99;
    assertThat(salted.index().contains(tsuid)).contains(false);
  }
}
