package org.hourstone.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.common.util.concurrent.Uninterruptibles;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.hourstone.MemorySettings;
import org.hourstone.Settings;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.head.HeadStats;
import org.hourstone.head.UnsealedRowsException;
import org.hourstone.kv.BatchException;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.Family;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.kv.StoreException;
import org.hourstone.query.Query;
import org.hourstone.testkit.store.MortalStore;
import org.hourstone.uid.UidKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A head over a store that refuses rows, fails or stalls: nothing is lost and nothing piles up. */
public abstract class HeadFaultContract extends HeadCase {
  private static final Comparator<Row> BY_KEY =
      Comparator.comparing(Row::key, Arrays::compareUnsigned);

  /** Whether the record of what was sealed fails, or the sealing before it. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3})
  final void afterASealThatFailedNothingIsBroughtBack(int writes) {
    db.put("other", HOUR, 1, Tags.of("host", "web02")).join();
    db.put("m", HOUR, 1, WEB01).join();
    mortal.failAfter(writes);
    try {
      db.flush();
    } catch (StoreException e) {
      assertThat(e).hasMessageContaining(MortalStore.DEAD);
    }
    mortal.recover();
    db.flush();
    Query query = Query.metric("m").betweenMillis(HOUR.toEpochMilli(), HOUR.toEpochMilli() + 1);

    assertThat(db.delete(query)).isEqualTo(1);
    db.close();
    Family journal = db.engine().options().journalFamily();
    assertThat(rows(journal)).allSatisfy(row -> assertThat(row.key()).hasSize(1));
    db = Tsdb.over(mortal, options());

    assertThat(points("m", WEB01)).isEmpty();
  }

  @Test
  final void aDatabaseWhoseStoreWasClosedCanBeClosed() {
    db.put("m", HOUR, 1, WEB01).join();

    store.close();

    assertThatException().isThrownBy(() -> db.close());
    db.close();
  }

  @Test
  final void aStoreThatDoesNotTakeRowsEndsTheGrowthOfTheHead() {
    reopen(
        (family, batch) -> {
          if (isOfPoints(family)) {
            throw new StoreException(StoreException.Outcome.REJECTED, MortalStore.DEAD);
          }
        },
        options().with(MemorySettings.HEAD_BYTES, "100000"));

    assertThatExceptionOfType(CompletionException.class)
        .isThrownBy(
            () -> {
              for (int i = 0; i < 10_000; i++) {
                db.put("m", HOUR, i, Tags.of("host", "web" + i)).join();
              }
            })
        .withMessageContaining("the head is full");
    assertThat(stats().bytes()).isLessThan(300_000);
    assertThatExceptionOfType(StoreException.class)
        .isThrownBy(() -> db.close())
        .withMessageContaining("rows stay in the head")
        .satisfies(e -> assertThat(e.getSuppressed()[0]).hasMessageContaining("the head is full"));
  }

  @Test
  final void aRowThatIsRefusedKeepsNoOtherFromBeingWritten() {
    AtomicBoolean refusing = new AtomicBoolean(true);
    reopen(
        (family, batch) -> {
          if (refusing.get() && isOfPoints(family)) {
            refuseOneSeries(batch);
          }
        },
        options());
    for (int i = 0; i < 20; i++) {
      db.put("m", HOUR, i, Tags.of("host", "web" + i)).join();
    }

    assertThatExceptionOfType(StoreException.class)
        .isThrownBy(() -> db.flush())
        .withMessageContaining("1 rows stay in the head");

    assertThat(dataRows()).hasSize(19);
    assertThat(points("m", Tags.of("host", "web3"))).hasSize(1);
    refusing.set(false);
    db.flush();
    assertThat(dataRows()).hasSize(20);
  }

  /** As a store whose batches are written as wholes, one of whose rows is corrupt. */
  private void refuseOneSeries(List<RowMutation> batch) {
    byte[] corrupt = db.uids().uid(UidKind.TAGV, "web3");
    List<StoreException.Outcome> outcomes = new ArrayList<>();
    for (RowMutation mutation : batch) {
      byte[] row = mutation.row();
      boolean isCorrupt = Arrays.equals(row, row.length - 3, row.length, corrupt, 0, 3);
      outcomes.add(
          isCorrupt ? StoreException.Outcome.REJECTED : StoreException.Outcome.NOT_APPLIED);
    }
    if (outcomes.contains(StoreException.Outcome.REJECTED)) {
      throw new BatchException("corrupt", outcomes, null);
    }
  }

  @Test
  final void aRowThatIsCorruptInTheStoreDoesNotKeepItsPointsInTheHead() {
    reopen(
        (family, batch) -> {
          if (isOfPoints(family) && batch.stream().anyMatch(HeadFaultContract::merges)) {
            refuseOneSeries(batch);
          }
        },
        options());
    Tags corrupt = Tags.of("host", "web3");
    for (int i = 0; i < 20; i++) {
      db.put("m", HOUR, i, Tags.of("host", "web" + i % 5)).join();
      db.put("m", HOUR.plusMillis(i), i, Tags.of("host", "web" + i % 5)).join();
    }
    Map<Instant, Double> expected = points("m", corrupt);
    fixture.clock().advance(Duration.ofHours(2));

    db.flush();

    assertThat(points("m", corrupt)).isEqualTo(expected);
    assertThat(dataRows()).hasSize(5).filteredOn(row -> row.size() > 1).hasSize(1);
    assertThat(stats())
        .extracting(HeadStats::rows, HeadStats::journalBytes, HeadStats::refused)
        .containsExactly(0L, 0L, 1L);
    assertThat(db.compactions().stats().backlog()).isEqualTo(1);
  }

  /** Whether a store may have to read a row to write this. */
  private static boolean merges(RowMutation mutation) {
    return mutation.changes().stream().anyMatch(change -> change.qualifier().length > 4);
  }

  @Test
  final void whileRowsCannotBeWrittenTheJournalStopsGrowing() {
    reopen(
        (family, batch) -> {
          if (isOfPoints(family)) {
            refuseOneSeries(batch);
          }
        },
        options().with(MemorySettings.HEAD_JOURNAL_BYTES, "5000"));
    db.put("m", HOUR, 1, Tags.of("host", "web3")).join();

    assertThatExceptionOfType(CompletionException.class)
        .isThrownBy(
            () -> {
              for (int i = 0; i < 10_000; i++) {
                fixture.clock().advance(Duration.ofSeconds(1));
                db.put("m", HOUR.plusSeconds(i), i, Tags.of("host", "web" + i % 3)).join();
              }
            })
        .withMessageContaining("the head is full");
    assertThat(stats().journalBytes()).isLessThan(50_000);
    assertThatExceptionOfType(StoreException.class).isThrownBy(() -> db.close());
  }

  @Test
  final void aRowThatWasSealedBeforeAReopeningIsCompacted() {
    db.put("m", HOUR.plusSeconds(1), 1, WEB01).join();
    db.put("m", HOUR.plusSeconds(2), 2, WEB01).join();
    fixture.clock().advance(Duration.ofMinutes(10));
    db.close();
    db = Tsdb.over(mortal, options());
    db.put("m", HOUR.plusSeconds(901), 3, WEB01).join();
    db.put("m", HOUR.plusSeconds(902), 4, WEB01).join();
    db.put("other", HOUR.plusSeconds(901), 3, WEB01).join();
    fixture.clock().advance(Duration.ofHours(2));
    db.flush();

    assertThat(db.compactions().stats().backlog()).isEqualTo(1);
    fixture.clock().advance(Duration.ofHours(2));
    db.compactions().flush();

    assertThat(dataRows()).hasSize(2).allSatisfy(row -> assertThat(row.size()).isEqualTo(1));
    assertThat(points("m", WEB01)).hasSize(4);
  }

  @Test
  final void statisticsDoNotWaitForAStoreThatStalls() throws Exception {
    CountDownLatch stalled = new CountDownLatch(1);
    CountDownLatch released = new CountDownLatch(1);
    reopen(
        (family, batch) -> {
          if (isMark(family, batch)) {
            stalled.countDown();
            Uninterruptibles.awaitUninterruptibly(released);
          }
        },
        options());
    db.put("m", HOUR, 1, WEB01).join();
    CompletableFuture<Void> flush = CompletableFuture.runAsync(db::flush);
    try {
      stalled.await();

      assertThat(CompletableFuture.supplyAsync(this::stats))
          .succeedsWithin(Duration.ofSeconds(60))
          .satisfies(stats -> assertThat(stats.journalBytes()).isPositive());
    } finally {
      released.countDown();
      flush.join();
    }
    assertThat(stats().journalBytes()).isZero();
  }

  /** Whether a batch says how far the journal is trimmed. */
  private boolean isMark(Family family, List<RowMutation> batch) {
    return family.equals(db.engine().options().journalFamily())
        && new String(batch.get(0).changes().get(0).qualifier(), StandardCharsets.US_ASCII)
            .equals("from");
  }

  /** Every change of the store in turn ends with an error, before or after it is applied. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  final void afterAnErrorAWriterGoesOnWithAllItsRows(boolean applied) {
    for (int failing = 0; failing < 12; failing++) {
      AtomicInteger left = new AtomicInteger(Integer.MAX_VALUE);
      reopen(
          new ForwardingStore(mortal) {
            @Override
            public void mutate(Family family, List<RowMutation> batch) {
              boolean fails = isWriting() && left.getAndDecrement() == 0;
              if (!fails || applied) {
                super.mutate(family, batch);
              }
              if (fails) {
                throw new StackOverflowError("injected");
              }
            }
          },
          options());
      String metric = "m" + failing;
      Map<Integer, Double> acknowledged = new HashMap<>();
      left.set(failing);
      for (int i = 0; i < 20; i++) {
        if (acknowledged(metric, HOUR, i)) {
          acknowledged.put(i, (double) i);
        }
        flush(i == 9);
      }
      left.set(Integer.MAX_VALUE);

      for (int i = 0; i < 20; i++) {
        assertThat(acknowledged(metric, HOUR.plusSeconds(1), i)).isTrue();
        if (acknowledged.containsKey(i)) {
          assertThat(points(metric, host(i))).containsEntry(HOUR, (double) i);
        }
      }
      assertThat(acknowledged).hasSizeGreaterThan(18);
      assertThat(db.writer().stats().alive()).isEqualTo(2);
      flush(true);
      assertThat(stats())
          .extracting(HeadStats::rows, HeadStats::bytes, HeadStats::journalBytes)
          .containsExactly(0L, 0L, 0L);
      try {
        db.close();
      } catch (StoreException e) {
        assertThat(e).hasMessageContaining("injected");
      }
      db = Tsdb.over(mortal, options());
      for (int i = 0; i < 20; i++) {
        assertThat(points(metric, host(i))).containsEntry(HOUR.plusSeconds(1), (double) i);
      }
    }
  }

  private static boolean isWriting() {
    return Thread.currentThread().getName().startsWith("hourstone-flusher");
  }

  private boolean acknowledged(String metric, Instant time, int number) {
    try {
      db.put(metric, time, number, host(number)).join();
      return true;
    } catch (CompletionException e) {
      assertThat(e).hasMessageContaining("injected");
      return false;
    }
  }

  /** Points that have failed are reported by it, and an error that ends it. */
  private void flush(boolean wanted) {
    if (wanted) {
      try {
        db.flush();
      } catch (StoreException e) {
        assertThat(e).hasMessageContaining("injected");
      }
    }
  }

  /** A row of more cells than a call may change is written by several calls. */
  @Test
  final void aRowThatIsTooLargeForACallIsDivided() {
    AtomicInteger most = new AtomicInteger(Integer.MAX_VALUE);
    reopen(
        (family, batch) -> {
          for (RowMutation row : batch) {
            if (row.changes().size() > most.get()) {
              throw new IllegalArgumentException(row.changes().size() + " changes of one row");
            }
          }
        },
        options().with(Settings.MAX_CELL_BYTES, "1"));
    most.set(7);
    for (int i = 0; i < 100; i++) {
      db.put("m", HOUR.plusSeconds(i), i, WEB01).join();
      db.put("m", HOUR, i, host(i)).join();
    }

    db.flush();

    assertThat(stats())
        .extracting(HeadStats::rows, HeadStats::journalBytes, HeadStats::refused)
        .containsExactly(0L, 0L, 0L);
    assertThat(dataRows()).hasSize(101).filteredOn(row -> row.size() == 100).hasSize(1);
    assertThat(points("m", WEB01)).hasSize(100);
  }

  /** Not by an exception of the store, but since an argument is beyond its limits. */
  @Test
  final void aRowThatNoCallTakesKeepsNoOtherFromBeingWrittenOrDeleted() {
    reopen(
        (family, batch) -> {
          if (isOfPoints(family) && batch.stream().anyMatch(row -> isOfSeries(row, 3))) {
            throw new IllegalArgumentException("beyond the limits");
          }
        },
        options());
    for (int i = 0; i < 20; i++) {
      db.put("m", HOUR, i, host(i)).join();
    }

    assertThat(db.delete(query(host(5)))).isEqualTo(1);
    assertThat(points("m", host(5))).isEmpty();
    assertThat(dataRows()).hasSize(18);
    assertThatExceptionOfType(UnsealedRowsException.class)
        .isThrownBy(() -> db.delete(query(host(3))))
        .withMessageContaining("beyond the limits");
    assertThat(points("m", host(3))).hasSize(1);
    assertThatExceptionOfType(UnsealedRowsException.class)
        .isThrownBy(() -> db.close())
        .withMessageContaining("1 rows stay in the head");
    db = Tsdb.over(mortal, options());
    assertThat(points("m", host(3))).hasSize(1);
    assertThat(points("m", host(5))).isEmpty();
  }

  private static Query query(Tags tags) {
    return Query.parse("none:m{host=" + tags.asMap().get("host") + "}")
        .betweenMillis(HOUR.toEpochMilli(), HOUR.toEpochMilli() + 1);
  }

  /** Whether a row is of the series that was the n-th to get names. */
  private static boolean isOfSeries(RowMutation row, int n) {
    return row.row()[row.row().length - 1] == n + 1;
  }

  @Test
  final void aCallHasNoMorePointsThanPermitted() {
    AtomicInteger most = new AtomicInteger();
    reopen(
        (family, batch) -> {
          if (isOfPoints(family)) {
            int points = 0;
            for (RowMutation row : batch) {
              points += row.changes().get(0).qualifier().length / 2;
            }
            int now = points;
            most.updateAndGet(before -> Math.max(before, now));
          }
        },
        options().with(MemorySettings.WRITE_BATCH, "10"));
    for (int i = 0; i < 3; i++) {
      for (int host = 0; host < 50; host++) {
        db.put("m", HOUR.plusSeconds(i), i, host(host)).join();
      }
    }

    db.flush();

    assertThat(most).hasValue(9);
    assertThat(dataRows()).hasSize(50);
  }

  private static Tags host(int number) {
    return Tags.of("host", "web" + number);
  }

  @Test
  final void aScanTakesFewOpenRowsAtATime() {
    AtomicInteger scans = new AtomicInteger();
    reopen(
        new ForwardingStore(mortal) {
          @Override
          public RowCursor scan(Family family, Scan scan) {
            scans.addAndGet(isOfPoints(family) ? 1 : 0);
            return super.scan(family, scan);
          }
        },
        options());
    List<CompletableFuture<?>> puts = new ArrayList<>();
    for (int i = 0; i < 2500; i++) {
      puts.add(db.put("m", HOUR, i, host(i)));
      if (i == 1200) {
        puts.forEach(CompletableFuture::join);
        db.flush();
      }
    }
    puts.forEach(CompletableFuture::join);
    db.put("m", HOUR.plusSeconds(1), 1, host(7)).join();
    scans.set(0);

    List<Row> all = read(Scan.all());

    assertThat(all).hasSize(2500).isSortedAccordingTo(BY_KEY).doesNotHaveDuplicates();
    assertThat(scans.get()).isBetween(2, 3);
    assertThat(keys(read(Scan.all().limit(1700)))).isEqualTo(keys(all.subList(0, 1700)));
    Scan part = Scan.range(all.get(1).key(), all.get(2400).key());
    assertThat(keys(read(part))).isEqualTo(keys(all.subList(1, 2400)));
  }

  private static List<Bytes> keys(List<Row> rows) {
    return rows.stream().map(row -> new Bytes(row.key())).toList();
  }

  /** The rows of points as queries see them. */
  private List<Row> read(Scan scan) {
    List<Row> rows = new ArrayList<>();
    try (RowCursor cursor = db.engine().reader().scan(db.engine().tables().points(), scan)) {
      for (Row row = cursor.next(); row != null; row = cursor.next()) {
        rows.add(row);
      }
    }
    return rows;
  }
}
