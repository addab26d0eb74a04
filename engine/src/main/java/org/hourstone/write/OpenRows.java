package org.hourstone.write;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.hourstone.codec.Timestamps;
import org.hourstone.head.Acknowledgement;
import org.hourstone.head.HeadShard;
import org.hourstone.head.OpenRow;
import org.hourstone.head.WrittenRows;
import org.hourstone.internal.ForeignCode;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.StoreException;

/**
 * Puts points into open rows, and completes their receipts once. With a journal the points added
 * since the last commit share a record, and their receipts are completed by {@link #commit} or
 * {@link #fail}; else each row completes those of its points when it is sealed. For the flusher's
 * thread.
 */
final class OpenRows {
  private static final int MOST_RECEIPTS = 4096;

  private final HeadShard shard;
  private final WrittenRows written;
  private final Consumer<byte[]> admission;
  private final boolean countsPoints;

  /** Whether rows wait for the flush interval, unless a caller waits for them. */
  private final boolean isBuffering;

  /** Of the points in the record. */
  private final Receipts receipts = new Receipts();

  /** How many points were added to each row, if they are counted. */
  private final Map<Bytes, Integer> counts = new LinkedHashMap<>();

  /** What {@link #touch} has read, so that it is not left out. */
  @SuppressWarnings("unused")
  private int touched;

  OpenRows(HeadShard shard, WrittenRows written, Consumer<byte[]> admission) {
    this.shard = shard;
    this.written = written;
    this.admission = admission;
    this.countsPoints = written.countsPoints();
    this.isBuffering = shard.acknowledgement() == Acknowledgement.INTERVAL;
  }

  /**
   * Adds a point.
   *
   * @throws StoreException NOT_APPLIED if there is no room, since rows can't be written
   * @throws RuntimeException if the row may not have a point
   */
  void add(Series series, long timestamp, int flags, long raw, Receipt receipt, long token) {
    long baseTime = Timestamps.baseTime(timestamp);
    int offset = (int) (Timestamps.toMillis(timestamp) - baseTime * 1000);
    boolean inMillis = Timestamps.isMillis(timestamp);
    if (shard.acknowledgement() == Acknowledgement.JOURNAL) {
      prepareRecord();
      OpenRow row = row(series, baseTime);
      receipts.makeRoom();
      shard.add(row, offset, inMillis, flags, raw);
      receipts.add(receipt, token);
      if (countsPoints) {
        counts.merge(new Bytes(series.rowKey(baseTime)), 1, Integer::sum);
      }
    } else {
      addWaiting(series, baseTime, offset, inMillis, flags, raw, receipt, token);
    }
  }

  private void prepareRecord() {
    if (shard.isRecordFull()) {
      commit();
    }
    if (receipts.size() == 0) { // once a record: one record more does no harm
      shard.checkRoom();
    }
  }

  private OpenRow row(Series series, long baseTime) {
    OpenRow row = series.openRow;
    if (row == null || !row.isOpenFor(baseTime)) {
      byte[] key = series.rowKey(baseTime);
      admission.accept(key);
      row = shard.row(row, key, baseTime, Receipts::new);
      series.openRow = row;
    }
    return row;
  }

  private void addWaiting(
      Series series,
      long baseTime,
      int offset,
      boolean inMillis,
      int flags,
      long raw,
      Receipt receipt,
      long token) {
    OpenRow row = row(series, baseTime);
    if (shard.precedes(row, offset, inMillis, flags)) {
      shard.seal(row);
      row = row(series, baseTime);
    }
    if (!(row.waiting() instanceof Receipts waiting)) {
      throw new IllegalStateException("no one can wait for the row");
    }
    if (isBuffering && Receipts.isAwaited(receipt)) {
      shard.await(row);
    }
    // Allocation first: a point is added with its receipt or not at all.
    shard.makeRoom(row);
    waiting.makeRoom();
    shard.addWaiting(row, offset, inMillis, flags, raw);
    waiting.add(receipt, token);
  }

  /**
   * Reads what points need that are added next: their series, rows and bytes are in different
   * places of memory. A processor reads many at a time here, and one after another while it adds
   * points.
   */
  void touch(PointColumns columns, int from, int to) {
    int sum = 0;
    for (int i = from; i < to; i++) {
      OpenRow row = columns.series[i].openRow;
      sum += row == null ? 0 : row.touch();
    }
    touched = sum;
  }

  boolean isBuffering() {
    return isBuffering;
  }

  /** A caller waits for points of this hour. */
  void hurry(Series series, long baseTime) {
    shard.await(series.rowKey(baseTime));
  }

  /** Stores the record of the points added, and completes their receipts; shows new rows. */
  void commit() {
    try {
      shard.commit(receipts::allGiveUpSoon);
    } catch (RuntimeException e) {
      fail(e);
      return;
    }
    if (receipts.size() == 0) {
      return;
    }
    shard.counts().addStored(receipts.pending());
    if (!counts.isEmpty()) {
      List<byte[]> rows = new ArrayList<>();
      counts.keySet().forEach(row -> rows.add(row.array()));
      List<Integer> points = List.copyOf(counts.values());
      ForeignCode.run(() -> written.journaled(rows, points));
    }
    receipts.stored();
    begin();
  }

  /** Fails the points of the record. */
  private void fail(RuntimeException reason) {
    shard.counts().addFailed(receipts.pending(), reason);
    receipts.failed(reason);
    begin();
  }

  /**
   * After an error: fails the points of the record and of the rows that were being written. May be
   * repeated until it ends without an error.
   *
   * @param all whether it fails those of all rows, unless the journal has them
   */
  void recover(boolean all, RuntimeException reason) {
    shard.recover(all, reason);
    fail(reason);
  }

  private void begin() {
    receipts.clear(MOST_RECEIPTS);
    counts.clear();
  }

  /**
   * Seals all open rows.
   *
   * @throws StoreException if some could not be written that a journal has; they stay open
   */
  void sealAll() {
    commit();
    try {
      shard.sealAll();
    } catch (RuntimeException e) {
      shard.counts().failed(e);
      throw e;
    }
  }

  /** Seals the rows that are due; those of a journal that can't be written stay. */
  void sealDue() {
    try {
      shard.sealDue();
    } catch (RuntimeException e) {
      shard.counts().failed(e);
    }
  }
}
