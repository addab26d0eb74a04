package org.hourstone.testing.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.codec.RowKey;
import org.hourstone.index.IndexRebuild;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.StoreException;
import org.hourstone.testing.RollupContract;
import org.junit.jupiter.api.Test;

/**
 * Rebuilding the series index while other processes write, with and without the index: no series is
 * hidden by an index that is said to be complete.
 */
public abstract class IndexRebuildContract extends IndexCase {
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
  final void severalThreadsEnterAllSeries() {
    Tsdb old = withoutIndex();
    nameHosts(old, 1200);
    for (int i = 0; i < 1200; i++) {
      old.put(i % 3 == 0 ? "m" : "n", START, i, host(i));
    }
    old.flush();
    IndexRebuild.Report report = db.index().rebuild(listener(() -> {}, () -> {})).run(4);
    assertThat(report).isEqualTo(new IndexRebuild.Report(1200, 1200, true));
    checkEqual(db, "m");
    checkEqual(db, "n");
    assertThat(scanned(db, "n")).hasSize(800);
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
    // A process that has checked continues without a check for a while.
    fixture.clock().advance(Duration.ofSeconds(60));
    put(other, "m", host(3));
    assertThat(indexed(db, "m")).isEmpty();
  }

  @Test
  final void aRebuildingIsVoidIfAnotherProcessWritesWithoutTheIndex() {
    Tsdb old = withoutIndex();
    nameHosts(old, 1000);
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
          throw new StoreException(StoreException.Outcome.REJECTED, "injected");
        });
    assertThatThrownBy(() -> put(off, "m", host(1))).hasStackTraceContaining("injected");
    put(off, "m", host(2));
    assertThat(indexed(on.get(0), "m")).isEmpty();
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
    TsdbOptions seven =
        options()
            .with(Settings.SALT_WIDTH, "1")
            .with(Settings.SALT_BUCKETS, "7")
            .with(Settings.SALT_CHECK, "false");
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
}
