package org.hourstone.head;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.hourstone.codec.DuplicatePolicy;
import org.hourstone.codec.RowKey;
import org.hourstone.codec.Schema;
import org.hourstone.internal.Backoff;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.Family;
import org.hourstone.kv.FamilySpec;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Limits;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.kv.SchemaMode;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.hourstone.testkit.ManualClock;
import org.hourstone.testkit.store.ModelStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A process opens the journal of one that died and had more memory. */
class LargeJournalTest {
  private static final Family POINTS = new Family("tsdb", "t");
  private static final Family JOURNAL = new Family("tsdb-journal", "j");
  private static final RowKey KEYS = new RowKey(Schema.DEFAULT);
  private static final long HOUR = 1_500_001_200;

  private final ManualClock clock = new ManualClock(Instant.ofEpochSecond(HOUR));
  private final KeyValueStore store = new ModelStore(clock);

  /** How many rows each call has announced. */
  private final List<Integer> announced = new ArrayList<>();

  LargeJournalTest() {
    store.ensure(
        List.of(new FamilySpec(POINTS, true), new FamilySpec(JOURNAL, true)), SchemaMode.CREATE);
  }

  private Head head(long bytes, KeyValueStore over) {
    return head(bytes, over, CellForm.PACKED);
  }

  private Head head(long bytes, KeyValueStore over, CellForm form) {
    HeadOptions options =
        new HeadOptions(
            bytes,
            1 << 30,
            new HeadOptions.Buffering(Duration.ofMinutes(1), 1 << 20, 1 << 20),
            new HeadOptions.Sealing(1000, 1, 1),
            new CellOptions(form, DuplicatePolicy.NEWEST_WINS, 1 << 20, false));
    Announcements announcements =
        new Announcements() {
          @Override
          public void showing(List<byte[]> rows, Runnable show) {
            announced.add(rows.size());
            show.run();
          }

          @Override
          public void after() {}
        };
    return new Head(over, POINTS, JOURNAL, KEYS, options, clock, Backoff.none(), announcements);
  }

  private static HeadShard shard(Head head) {
    return head.shards(Acknowledgement.JOURNAL, 1, true, (rows, points) -> {}).get(0);
  }

  private static byte[] key(int series) {
    byte[] tsuid = {0, 0, 1, 0, 0, 1, (byte) (series >> 16), (byte) (series >> 8), (byte) series};
    return KEYS.rowKey(tsuid, HOUR);
  }

  /** Opens a row of each series, and dies. */
  private void write(int series, int together) {
    Head head = head(1 << 30, store);
    head.begin();
    head.replay();
    HeadShard shard = shard(head);
    for (int i = 0; i < series; i++) {
      OpenRow row = shard.row(null, key(i), HOUR, LargeJournalTest::none);
      shard.add(row, 0, false, 0, 1);
      if ((i + 1) % together == 0) {
        shard.commit(() -> false);
      }
    }
    shard.commit(() -> false);
    announced.clear();
  }

  private static Waiting none() {
    throw new IllegalStateException("the journal has the points");
  }

  private Set<Bytes> stored(Family family) {
    return rows(family).stream().map(row -> new Bytes(row.key())).collect(Collectors.toSet());
  }

  private List<Row> rows(Family family) {
    List<Row> all = new ArrayList<>();
    try (RowCursor rows = store.scan(family, Scan.all())) {
      for (Row row = rows.next(); row != null; row = rows.next()) {
        all.add(row);
      }
    }
    return all;
  }

  /** A store that fails after some writes of points. */
  private KeyValueStore failingAfter(int writes) {
    return new ForwardingStore(store) {
      private int left = writes;

      @Override
      public void mutate(Family family, List<RowMutation> batch) {
        if (family.equals(POINTS) && left-- <= 0) {
          throw new StoreException(Outcome.NOT_APPLIED, "full");
        }
        super.mutate(family, batch);
      }
    };
  }

  @Test
  void rowsForWhichThereIsNoMemoryAreWrittenToTheDataTable() {
    write(5000, 1000);
    Head small = head(200_000, store);
    small.begin();
    small.replay();
    assertThat(small.stats()).extracting(HeadStats::rows, HeadStats::journalBytes).containsOnly(0L);
    assertThat(stored(POINTS)).hasSize(5000);
    assertThat(announced.stream().mapToInt(Integer::intValue).sum()).isEqualTo(5000);

    HeadShard shard = shard(small);
    assertThat(stored(JOURNAL)).as("records").hasSize(1);
    OpenRow row = shard.row(null, key(1), HOUR, LargeJournalTest::none);
    shard.add(row, 1000, false, 0, 2);
    shard.commit(() -> false);
    Head next = head(200_000, store);
    next.begin();
    next.replay();
    assertThat(next.stats().rows()).isOne();
  }

  /** As those that shards write. */
  @ParameterizedTest
  @EnumSource(CellForm.class)
  void rowsThatAreWrittenAreCountedAndThoseWithSeveralCellsCompacted(CellForm form) {
    write(5000, 1000);
    clock.advance(Duration.ofHours(3));
    store.put(POINTS, key(7), new byte[] {0, 0x70}, new byte[] {1});
    Head small = head(200_000, store, form);
    List<byte[]> compacted = new ArrayList<>();
    small.notifySealed(
        new WrittenRows() {
          @Override
          public void written(List<byte[]> rows, List<Integer> points) {
            throw new AssertionError("they were counted when they were journaled");
          }

          @Override
          public void sealed(List<byte[]> rows) {
            compacted.addAll(rows);
          }
        });
    small.begin();
    small.replay();
    assertThat(small.stats().sealed()).isEqualTo(5000);
    assertThat(compacted).containsExactly(key(7));
  }

  @Test
  void rowsForWhichThereIsMemoryStayOpen() {
    write(500, 100);
    Head same = head(200_000, store);
    same.begin();
    same.replay();
    assertThat(same.stats().rows()).isEqualTo(500);
    assertThat(stored(POINTS)).isEmpty();
  }

  /** Each of which takes memory, if only a little. */
  @Test
  void soAreRowsWithTooManyRecords() {
    write(1, 1);
    Head head = head(1 << 30, store);
    head.begin();
    head.replay();
    HeadShard shard = shard(head);
    for (int i = 0; i < 2000; i++) {
      shard.add(shard.row(null, key(0), HOUR, LargeJournalTest::none), i, true, 0, 1);
      shard.commit(() -> false);
    }
    Head small = head(50_000, store);
    small.begin();
    small.replay();
    assertThat(small.stats()).extracting(HeadStats::rows, HeadStats::journalBytes).containsOnly(0L);
    assertThat(stored(POINTS)).hasSize(1);
  }

  /** It dies, or the store fails, before all are written. */
  @Test
  void nothingIsLostIfTheyCanNotBeWritten() {
    write(5000, 1000);
    Head small = head(200_000, failingAfter(3));
    small.begin();
    assertThatThrownBy(small::replay).isInstanceOf(StoreException.class);
    assertThat(stored(POINTS)).hasSizeBetween(1, 4999);

    Head again = head(1 << 30, store);
    again.begin();
    again.replay();
    assertThat(again.stats().rows()).isEqualTo(5000);
  }

  /** Appended again they would have each point as often as it was tried. */
  @ParameterizedTest
  @EnumSource(CellForm.class)
  void rowsThatAreWrittenAgainGetTheSameCells(CellForm form) {
    write(5000, 1000);
    Head small = head(200_000, failingAfter(3), form);
    small.begin();
    assertThatThrownBy(small::replay).isInstanceOf(StoreException.class);
    Set<Bytes> before = stored(POINTS);
    Head again = head(200_000, store, form);
    again.begin();
    again.replay();

    List<Row> rows = rows(POINTS);
    assertThat(before).isNotEmpty().hasSizeLessThan(5000);
    assertThat(rows)
        .hasSize(5000)
        .allSatisfy(
            row -> {
              assertThat(row.size()).isOne();
              assertThat(row.value(0)).isEqualTo(rows.get(rows.size() - 1).value(0));
            });
  }

  /** No store reads or writes more in one call. */
  @Test
  void ofManyRowsOnlySomeAreAnnouncedTogether() {
    int series = Limits.ROWS_PER_BATCH + 1;
    write(series, 20_000);
    Head head = head(1 << 30, store);
    head.begin();
    head.replay();
    head.announceReplayed();
    assertThat(head.stats().rows()).isEqualTo(series);
    assertThat(announced.stream().mapToInt(Integer::intValue).sum()).isEqualTo(series);
    assertThat(announced).allMatch(rows -> rows <= 10_000);
  }
}
