package org.hourstone.write;

import java.util.ArrayList;
import java.util.List;
import org.hourstone.codec.AppendCell;
import org.hourstone.codec.CompactedCell;
import org.hourstone.codec.RowPoints;
import org.hourstone.codec.Timestamps;
import org.hourstone.error.RequestException;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Change;
import org.hourstone.kv.RowMutation;

/**
 * Points of one series and one hour, gathered and then written as one cell: OpenTSDB's batch of
 * data points. A cell of many points costs far less than as many cells, but does not replace older
 * cells with points of the same timestamps; those are resolved when the row is read.
 *
 * <p>Points must be added in time order. May be reused once it is persisted, for the same hour or
 * another. Not thread-safe.
 */
public final class PointBatch {
  private final SeriesWriter series;
  private final PointWriter writer;
  private final RowPoints points = new RowPoints();
  private long baseTime;
  private long lastMillis;

  PointBatch(PointWriter writer, SeriesWriter series) {
    this.writer = writer;
    this.series = series;
  }

  /**
   * Gathers an integer; it is stored in the fewest bytes that hold it.
   *
   * @param timestamp seconds if it fits 32 bits, else milliseconds
   * @throws RequestException if the time is out of range, not after the last point's or not in the
   *     hour of the others
   */
  public void add(long timestamp, long value) {
    add(timestamp, PointValue.of(value));
  }

  /** Gathers a float; it is stored in 4 bytes. Throws as {@link #add(long, long)} does. */
  public void add(long timestamp, float value) {
    add(timestamp, PointValue.of(value));
  }

  /** Gathers a double; it is stored in 8 bytes. Throws as {@link #add(long, long)} does. */
  public void add(long timestamp, double value) {
    add(timestamp, PointValue.of(value));
  }

  private void add(long timestamp, PointValue value) {
    writer.check(series, timestamp, value);
    long millis = Timestamps.toMillis(timestamp);
    long base = Timestamps.baseTime(timestamp);
    if (points.size() > 0 && millis <= lastMillis) {
      throw series.notAfter(lastMillis, timestamp, value);
    }
    if (points.size() > 0 && base != baseTime) {
      throw new RequestException(
          "New timestamp="
              + timestamp
              + " is not in the hour of the batch, which starts at "
              + baseTime
              + ": persist the batch first");
    }
    points.add(
        (int) (millis - base * 1000), Timestamps.isMillis(timestamp), value.flags(), value.raw());
    baseTime = base;
    lastMillis = millis;
  }

  /** How many points wait to be persisted. */
  public int size() {
    return points.size();
  }

  /**
   * Hands the points to the writer, as one cell unless that gets larger than cells may be, and
   * empties the batch. Waits while the store is slow. If an exception is thrown, the points were
   * not handed in: the batch keeps them.
   *
   * @param receipt is completed once, for all points together
   * @throws IllegalStateException if the batch is empty
   */
  public void persist(Receipt receipt, long token) {
    if (points.size() == 0) {
      throw new IllegalStateException("a batch without points");
    }
    WriteOptions options = writer.options();
    long writeTime =
        options.cells().duplicates().pointTimeAsWriteTime() ? baseTime * 1000 : Cell.STORE_TIME;
    List<Change> cells = new ArrayList<>();
    for (CompactedCell cell : CompactedCell.of(points, options.cells().maxBytes())) {
      CompactedCell form = options.cells().batchMetadataByte() ? cell : cell.withoutMetadataByte();
      cells.add(new Cell(form.qualifier(), form.value(), writeTime).put());
    }
    Series now = series.series();
    byte[] key = now.rowKey(baseTime);
    Change.Append appended =
        options.ordersAppends()
            ? new Change.Append(AppendCell.qualifier(), AppendCell.encode(points))
            : null;
    writer.take(now, new RowMutation(key, cells), appended, points.size(), receipt, token);
    points.clear();
  }
}
