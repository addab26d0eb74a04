package org.hourstone.write;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.hourstone.codec.Timestamps;
import org.hourstone.head.HeadShard;
import org.hourstone.head.OpenRow;
import org.hourstone.internal.Deadline;
import org.hourstone.internal.ForeignCode;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.StoreException;
import org.jspecify.annotations.Nullable;

/**
 * Puts points into the head: those added since the last commit share a journal record, and their
 * receipts are completed once, by {@link #commit} or {@link #fail}. For the flusher's thread,
 * except the counts and {@link #closeBy}.
 */
final class HeadWriter {
  private static final int MOST_RECEIPTS = 4096;

  private final HeadShard shard;
  private final WrittenRows written;
  private final boolean countsPoints;
  private final LongAdder stored = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private volatile @Nullable String lastFailure;

  private final Receipts receipts = new Receipts();

  /** How many points were added to each row, if they are counted. */
  private final Map<Bytes, Integer> counts = new LinkedHashMap<>();

  /** What {@link #touch} has read, so that it is not left out. */
  @SuppressWarnings("unused")
  private int touched;

  HeadWriter(HeadShard shard, WrittenRows written) {
    this.shard = shard;
    this.written = written;
    this.countsPoints = written.countsPoints();
  }

  void closeBy(Deadline latest) {
    shard.closeBy(latest);
  }

  long stored() {
    return stored.sum();
  }

  long failed() {
    return failed.sum();
  }

  @Nullable String lastFailure() {
    return lastFailure;
  }

  /** Whether it has rows that are not in the data table. */
  boolean isEmpty() {
    return shard.isEmpty();
  }

  /** As {@link HeadShard#takesPoints}. */
  boolean takesPoints() {
    return shard.takesPoints();
  }

  /**
   * Adds a point.
   *
   * @throws StoreException NOT_APPLIED if there is no room, since rows can't be written
   */
  void add(Series series, long timestamp, int flags, long raw, Receipt receipt, long token) {
    if (shard.isRecordFull()) {
      commit();
    }
    if (receipts.size() == 0) { // once a record: one record more does no harm
      shard.checkRoom();
    }
    long baseTime = Timestamps.baseTime(timestamp);
    OpenRow row = series.headRow;
    if (row == null || !row.isOpenFor(baseTime)) {
      row = shard.row(row, series.rowKey(baseTime), baseTime);
      series.headRow = row;
    }
    if (countsPoints) {
      counts.merge(new Bytes(series.rowKey(baseTime)), 1, Integer::sum);
    }
    receipts.makeRoom();
    int offset = (int) (Timestamps.toMillis(timestamp) - baseTime * 1000);
    shard.add(row, offset, Timestamps.isMillis(timestamp), flags, raw);
    receipts.add(receipt, token);
  }

  /**
   * Reads what points need that are added next: their series, rows and bytes are in different
   * places of memory. A processor reads many at a time here, and one after another while it adds
   * points.
   */
  void touch(PointColumns columns, int from, int to) {
    int sum = 0;
    for (int i = from; i < to; i++) {
      OpenRow row = columns.series[i].headRow;
      sum += row == null ? 0 : row.touch();
    }
    touched = sum;
  }

  /** Stores the points added, and completes their receipts. */
  void commit() {
    if (receipts.size() == 0) {
      return;
    }
    try {
      shard.commit();
    } catch (RuntimeException e) {
      fail(e);
      return;
    }
    stored.add(receipts.untold());
    if (!counts.isEmpty()) {
      List<byte[]> rows = new ArrayList<>();
      counts.keySet().forEach(row -> rows.add(row.array()));
      List<Integer> points = List.copyOf(counts.values());
      ForeignCode.run(() -> written.journaled(rows, points));
    }
    receipts.stored();
    begin();
  }

  /** Fails the points added. */
  void fail(RuntimeException reason) {
    if (receipts.untold() > 0) {
      failed.add(receipts.untold());
      lastFailure = String.valueOf(reason.getMessage());
    }
    receipts.failed(reason);
    begin();
  }

  /**
   * After an error: fails the points added since the last commit. May be repeated until it ends
   * without an error.
   */
  void recover(RuntimeException reason) {
    shard.recover();
    fail(reason);
  }

  private void begin() {
    receipts.clear(MOST_RECEIPTS);
    counts.clear();
  }

  /**
   * Writes all open rows to the data table.
   *
   * @throws StoreException if some could not be written; they stay in the head
   */
  void sealAll() {
    commit();
    try {
      shard.sealAll();
    } catch (RuntimeException e) {
      lastFailure = String.valueOf(e.getMessage());
      throw e;
    }
  }

  /** Writes the rows to the data table that are due; those that can't be written stay. */
  void sealDue() {
    try {
      shard.sealDue();
    } catch (RuntimeException e) {
      lastFailure = String.valueOf(e.getMessage());
    }
  }
}
