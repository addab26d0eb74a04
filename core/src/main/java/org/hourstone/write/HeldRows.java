package org.hourstone.write;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.hourstone.codec.Timestamps;
import org.hourstone.kv.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * Rows whose points are not written yet, that of the earliest first point first. A row is due when
 * the flush interval is over, when somebody waits for one of its points, or when too many points
 * are held; without an interval it is due at once. What is taken out belongs to the taker. For one
 * thread.
 */
final class HeldRows {
  private final WriteOptions options;
  private final InstantSource clock;
  private final Map<Bytes, RowBatch> rows = new LinkedHashMap<>();
  private final Set<RowBatch> awaited = new LinkedHashSet<>();
  private long points;

  HeldRows(WriteOptions options, InstantSource clock) {
    this.options = options;
    this.clock = clock;
  }

  boolean isEmpty() {
    return rows.isEmpty();
  }

  /**
   * Adds a point to its row.
   *
   * @return whether it was added; if not, what the row holds must be written before
   */
  boolean add(PendingPoint point) {
    RowBatch row = rowOf(point);
    if (!row.add(point, options)) {
      return false;
    }
    points++;
    if (options.holds() && point.isAwaited()) {
      awaited.add(row);
    }
    return true;
  }

  private RowBatch rowOf(PendingPoint point) {
    Series series = point.series();
    long baseTime = Timestamps.baseTime(point.timestamp());
    RowBatch last = series.openRow;
    if (last != null && last.isFor(baseTime)) {
      return last;
    }
    byte[] key = series.rowKey(baseTime);
    RowBatch row =
        rows.computeIfAbsent(
            new Bytes(key), k -> new RowBatch(key, baseTime, options.holds() ? clock.millis() : 0));
    series.openRow = row;
    return row;
  }

  /** Takes the row of a point out, if it is held. */
  @Nullable RowBatch take(PendingPoint point) {
    return take(point.series().rowKey(Timestamps.baseTime(point.timestamp())));
  }

  /** Takes the row with this key out, if it is held. */
  @Nullable RowBatch take(byte[] key) {
    RowBatch row = rows.remove(new Bytes(key));
    if (row != null) {
      taken(row);
    }
    return row;
  }

  /** Takes all rows out. */
  List<RowBatch> takeAll() {
    List<RowBatch> all = new ArrayList<>(rows.values());
    rows.clear();
    all.forEach(this::taken);
    return all;
  }

  /** Takes the rows out that are due. */
  List<RowBatch> takeDue() {
    if (!options.holds()) {
      return takeAll();
    }
    List<RowBatch> due = new ArrayList<>();
    for (RowBatch row : List.copyOf(awaited)) {
      rows.remove(new Bytes(row.key()));
      taken(row);
      due.add(row);
    }
    long now = clock.millis();
    // Down to some less than may be held, lest every point that comes makes a batch of one row.
    long bound = points <= options.heldPoints() ? Long.MAX_VALUE : options.roomyHeldPoints();
    Iterator<RowBatch> oldest = rows.values().iterator();
    while (oldest.hasNext()) {
      RowBatch row = oldest.next();
      if (points <= bound && left(row, now) > 0) {
        break;
      }
      oldest.remove();
      taken(row);
      due.add(row);
    }
    return due;
  }

  private void taken(RowBatch row) {
    points -= row.size();
    awaited.remove(row);
    row.take();
  }

  /** For how many milliseconds nothing gets due, if nothing more comes; at least 1. */
  long millisUntilDue() {
    Iterator<RowBatch> oldest = rows.values().iterator();
    return oldest.hasNext() ? Math.max(1, left(oldest.next(), clock.millis())) : Long.MAX_VALUE;
  }

  /** How long a row may still stay; a clock that was put back must not keep it for longer. */
  private long left(RowBatch row, long now) {
    return now < row.since() ? 0 : row.since() + options.flushMillis() - now;
  }

  /** Makes those rows due that somebody waits for by now. */
  void lookForAwaited() {
    for (RowBatch row : rows.values()) {
      if (row.isAwaited()) {
        awaited.add(row);
      }
    }
  }
}
