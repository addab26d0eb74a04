package org.hourstone.write;

import java.time.InstantSource;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.hourstone.codec.Timestamps;
import org.hourstone.kv.Family;

/**
 * Rows whose points are not written yet, ordered by the arrival of their first points. A row is due
 * when the flush interval is over, when a caller waits for one of its points, or when too many
 * points or rows are buffered; without an interval it is due immediately. A due row is passed on
 * before it is removed, so that it has an owner whatever is thrown. For one thread.
 */
final class RowBuffer {
  private final Family family;
  private final WriteOptions options;
  private final InstantSource clock;
  private final Consumer<RowBatch> due;
  private final Map<RowId, RowBatch> rows = new LinkedHashMap<>();
  private final Set<RowBatch> awaited = new LinkedHashSet<>();
  private long points;

  /**
   * @param due takes the rows that are to be written
   */
  RowBuffer(Family family, WriteOptions options, InstantSource clock, Consumer<RowBatch> due) {
    this.family = family;
    this.options = options;
    this.clock = clock;
    this.due = due;
  }

  boolean isEmpty() {
    return rows.isEmpty();
  }

  /**
   * Adds a point to its row; to a later batch of the row if the earlier points must be written
   * before.
   */
  void add(Series series, long timestamp, int flags, long raw, Receipt receipt, long token) {
    if (!tryAdd(series, timestamp, flags, raw, receipt, token)) {
      handOver(rowOf(series, timestamp));
      if (!tryAdd(series, timestamp, flags, raw, receipt, token)) {
        throw new IllegalStateException("a row without points takes none");
      }
    }
  }

  private boolean tryAdd(
      Series series, long timestamp, int flags, long raw, Receipt receipt, long token) {
    RowBatch row = rowOf(series, timestamp);
    if (options.buffers() && Receipts.isAwaited(receipt)) {
      awaited.add(row);
    }
    boolean added = row.add(timestamp, flags, raw, receipt, token, options);
    points += added ? 1 : 0;
    return added;
  }

  private RowBatch rowOf(Series series, long timestamp) {
    long baseTime = Timestamps.baseTime(timestamp);
    RowBatch last = series.openRow;
    if (last != null && last.isFor(baseTime)) {
      return last;
    }
    RowId id = new RowId(family, series.rowKey(baseTime));
    RowBatch row = rows.get(id);
    if (row == null) {
      row = new RowBatch(id, baseTime, options.buffers() ? clock.millis() : 0);
      rows.put(id, row);
    }
    row.open(series);
    return row;
  }

  /** A caller waits for the points of this hour that are buffered. */
  void hurry(Series series, long baseTime) {
    RowBatch row = rows.get(new RowId(family, series.rowKey(baseTime)));
    if (row != null) {
      awaited.add(row);
    }
  }

  private void handOver(RowBatch row) {
    due.accept(row);
    rows.remove(row.id());
    removed(row);
  }

  /** Hands all rows over. */
  void handOverAll() {
    for (RowBatch row : List.copyOf(rows.values())) {
      handOver(row);
    }
  }

  /** Hands the rows over that are due. */
  void handOverDue() {
    if (!options.buffers()) {
      handOverAll();
      return;
    }
    for (RowBatch row : List.copyOf(awaited)) {
      handOver(row);
    }
    long now = clock.millis();
    // Down to somewhat below the bounds, so that not every new point writes a row.
    boolean makeRoom = isBeyond(options.buffering().points(), options.buffering().bytes());
    Iterator<RowBatch> oldest = rows.values().iterator();
    while (oldest.hasNext()) {
      RowBatch row = oldest.next();
      makeRoom &= isBeyond(options.roomyPoints(), options.roomyBytes());
      if (!makeRoom && left(row, now) > 0) {
        break;
      }
      due.accept(row);
      oldest.remove();
      removed(row);
    }
  }

  private boolean isBeyond(long mostPoints, long mostBytes) {
    return points > mostPoints
        || points * RowBatch.POINT_BYTES + (long) rows.size() * RowBatch.BYTES > mostBytes;
  }

  private void removed(RowBatch row) {
    points -= row.size();
    awaited.remove(row);
    row.take();
  }

  void forEach(Consumer<RowBatch> action) {
    rows.values().forEach(action);
  }

  /** The number of milliseconds until a row is due if no more points arrive; at least 1. */
  long millisUntilDue() {
    Iterator<RowBatch> oldest = rows.values().iterator();
    return oldest.hasNext() ? Math.max(1, left(oldest.next(), clock.millis())) : Long.MAX_VALUE;
  }

  /** How long a row may still stay; a clock that was put back must not keep it for longer. */
  private long left(RowBatch row, long now) {
    return now < row.since() ? 0 : row.since() + options.buffering().interval().toMillis() - now;
  }

  /** Makes those rows due that a caller waits for by now. */
  void lookForAwaited() {
    for (RowBatch row : rows.values()) {
      if (row.isAwaited()) {
        awaited.add(row);
      }
    }
  }
}
