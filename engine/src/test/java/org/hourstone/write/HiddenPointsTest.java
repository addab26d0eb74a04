package org.hourstone.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.hourstone.MemorySettings;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.kv.BatchException;
import org.hourstone.kv.Change;
import org.hourstone.kv.Family;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.hourstone.testkit.ManualClock;
import org.hourstone.testkit.store.ModelStore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Where cells are dated by their points, a store may be unable to show some of them, and rejects
 * the row of a batch that has one. Only those points fail.
 */
@Timeout(60)
class HiddenPointsTest {
  private static final long HOUR = 1_356_998_400L;
  private static final Family POINTS = new Family("tsdb", "t");

  /** Rejects the puts of some seconds with all of their row, as HBase does behind markers. */
  private static final class HidingStore extends ForwardingStore {
    final CountDownLatch queued = new CountDownLatch(1);
    final Set<Long> hidden = new HashSet<>();

    /** Hidden puts that are sent, as another client deletes the cell at that moment. */
    final Set<Long> gone = new HashSet<>();

    volatile boolean waits;

    /** The hidden put of this second ends the thread. */
    long deadly = -1;

    final List<Integer> sizes = new ArrayList<>();

    HidingStore() {
      super(new ModelStore(InstantSource.system()));
    }

    @Override
    public void mutate(Family family, List<RowMutation> batch) {
      if (!family.equals(POINTS) || !waits) {
        super.mutate(family, batch);
        return;
      }
      try {
        queued.await();
      } catch (InterruptedException e) {
        throw new StoreException(Outcome.UNKNOWN, "interrupted", e);
      }
      List<RowMutation> sent = new ArrayList<>();
      List<@Nullable Outcome> outcomes = new ArrayList<>();
      for (RowMutation mutation : batch) {
        sizes.add(mutation.changes().size());
        Set<Long> seconds =
            mutation.changes().stream().map(HidingStore::second).collect(Collectors.toSet());
        if (seconds.equals(Set.of(deadly))) {
          throw new OutOfMemoryError("as if");
        }
        if (!Collections.disjoint(seconds, hidden)) {
          outcomes.add(Outcome.REJECTED);
        } else if (!Collections.disjoint(seconds, gone)) {
          hidden.addAll(gone);
          outcomes.add(Outcome.UNKNOWN);
        } else {
          sent.add(mutation);
          outcomes.add(null);
        }
      }
      super.mutate(family, sent);
      if (sent.size() < batch.size()) {
        throw new BatchException("hidden", outcomes, null);
      }
    }

    private static long second(Change change) {
      return ((Change.PutIfNewer) change).writeTime() / 1000 - HOUR;
    }
  }

  private final HidingStore store = new HidingStore();
  private final Map<Long, Outcome> failed = new TreeMap<>();
  private final Set<Long> stored = new HashSet<>();
  private final Receipt receipt =
      new Receipt() {
        @Override
        public void stored(long token) {
          assertThat(stored.add(token)).isTrue();
        }

        @Override
        public void failed(long token, RuntimeException reason) {
          assertThat(failed.put(token, ((StoreException) reason).outcome())).isNull();
        }
      };

  @Test
  void onlyTheHiddenPointsFail() {
    store.hidden.addAll(Set.of(0L, 7L, 8L, 99L));
    try (Tsdb db = open()) {
      write(db, LongStream.range(0, 100).toArray());
      assertThat(db.writer().stats().failed()).isEqualTo(4);
      assertThat(db.writer().stats().stored()).isEqualTo(100);
    }

    assertThat(failed)
        .isEqualTo(
            Map.of(
                0L, Outcome.REJECTED,
                7L, Outcome.REJECTED,
                8L, Outcome.REJECTED,
                99L, Outcome.REJECTED));
    assertThat(stored).hasSize(100).doesNotContain(0L, 7L, 8L, 99L);
    assertThat(values()).hasSize(98).containsEntry(1L, 1L).doesNotContainKeys(0L, 7L, 8L, 99L);
    assertThat(store.sizes).as("batches").hasSizeLessThan(60);
  }

  @Test
  void aPointThatIsHiddenWhileItIsSentIsUnknownAndTheOthersAreStored() {
    store.gone.add(42L);
    try (Tsdb db = open()) {
      write(db, LongStream.range(0, 100).toArray());
    }

    assertThat(failed).isEqualTo(Map.of(42L, Outcome.UNKNOWN));
    assertThat(values()).hasSize(101).doesNotContainKey(42L);
  }

  @Test
  void eachOfTwoPointsOfOneCellHasItsOwnOutcome() {
    store.hidden.add(1L);
    try (Tsdb db = open()) {
      write(db, 0, 1, 2, 1, 2, 3);
    }

    assertThat(failed).isEqualTo(Map.of(1L, Outcome.REJECTED, 3L, Outcome.REJECTED));
    assertThat(values()).containsEntry(0L, 0L).containsEntry(2L, 4L).containsEntry(3L, 5L);
  }

  @Test
  void aThreadThatDiesBetweenTheHalvesFailsWhatIsLeftOnce() {
    store.hidden.addAll(Set.of(5L, 6L));
    store.deadly = 6;
    Tsdb db = open();
    var unused = catchThrowable(() -> write(db, LongStream.range(0, 16).toArray()));
    db.close();

    assertThat(failed).containsEntry(5L, Outcome.REJECTED).containsEntry(6L, Outcome.UNKNOWN);
    assertThat(stored).contains(0L, 4L).doesNotContain(5L, 6L, 15L);
    assertThat(stored.size() + failed.size()).isEqualTo(20);
    assertThat(stored).doesNotContainAnyElementsOf(failed.keySet());
  }

  private Tsdb open() {
    TsdbOptions options =
        TsdbOptions.defaults()
            .withClock(new ManualClock(Instant.ofEpochSecond(HOUR + 7200)))
            .with(MemorySettings.WRITE_THREADS, "1")
            .with(Settings.COMPACTION_BACKGROUND, "false")
            .with(Settings.USE_OTSDB_TIMESTAMP, "true");
    return Tsdb.over(store, options);
  }

  /** Writes points of one series in one batch, beside a row of another; the token is the place. */
  private void write(Tsdb db, long... seconds) {
    SeriesWriter a = db.writer().series("m", Map.of("h", "a"));
    SeriesWriter b = db.writer().series("m", Map.of("h", "b"));
    a.put(HOUR + 3599, 1L, receipt, 1000);
    b.put(HOUR + 3599, 1L, receipt, 1001);
    db.writer().flush();
    store.waits = true;
    a.put(HOUR + 3598, 1L, receipt, 1002); // the thread waits with it, until all others are queued
    for (int i = 0; i < seconds.length; i++) {
      a.put(HOUR + seconds[i], (long) i, receipt, i);
    }
    b.put(HOUR + 5000, 1L, receipt, 1003);
    store.queued.countDown();
    db.writer().flush();
  }

  /** The values of the first series, by second. */
  private Map<Long, Long> values() {
    Map<Long, Long> values = new TreeMap<>();
    try (RowCursor rows = store.scan(POINTS, Scan.all())) {
      Row row = rows.next();
      for (int i = 0; row != null && i < row.size(); i++) {
        values.put(row.writeTime(i) / 1000 - HOUR, (long) row.value(i)[0]);
      }
    }
    return values;
  }
}
