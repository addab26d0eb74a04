package org.hourstone.write;

import org.hourstone.codec.Value;
import org.hourstone.error.RequestException;
import org.jspecify.annotations.Nullable;

/**
 * Gathers points of series handles in columns, and sends them to the writer together: those for one
 * of its threads when there are 1024, the others by {@link #send}. Nothing is allocated for a
 * point. Until a point is sent, neither {@link PointWriter#flush} nor {@link PointWriter#close}
 * includes it, and its receipt has no outcome.
 *
 * <p>Points of one row are stored in the order in which they were added. For one thread; others may
 * gather points of the same handles at the same time.
 */
public final class SeriesPoints {
  private final PointIntake writer;
  private final Receipt receipt;

  /** By the thread that writes the series; null until one has a point. They are handed over. */
  private final @Nullable PointColumns[] shares;

  /** The handles of these points. */
  private final SeriesWriter[][] handles;

  private int size;

  SeriesPoints(PointIntake writer, Receipt receipt) {
    this.writer = writer;
    this.receipt = receipt;
    this.shares = new PointColumns[writer.shares()];
    this.handles = new SeriesWriter[shares.length][PointColumns.MOST];
  }

  /**
   * Adds an integer; it is stored in the fewest bytes. May send points, and then waits while the
   * store is slow.
   *
   * @param to a handle of the writer to which these points are sent
   * @param timestamp seconds if it fits 32 bits, else milliseconds; 0 to 9999999999999
   * @param token passed to the receipt with the outcome
   * @throws RequestException for a timestamp out of range; the point is not added then. Throws as
   *     {@link PointWriter#series} does, too, if a name was deleted
   * @throws IllegalArgumentException if the handle is that of another writer
   */
  public void add(SeriesWriter to, long timestamp, long value, long token) {
    add(to, timestamp, Value.flagsOf(value), value, token);
  }

  /**
   * Adds a float; it is stored in 4 bytes. NaN and infinity are refused. As {@link
   * #add(SeriesWriter, long, long, long)}.
   */
  public void add(SeriesWriter to, long timestamp, float value, long token) {
    add(to, timestamp, Value.FLOAT_FLAGS, Value.rawOf(value), token);
  }

  /**
   * Adds a double; it is stored in 8 bytes. NaN and infinity are refused. As {@link
   * #add(SeriesWriter, long, long, long)}.
   */
  public void add(SeriesWriter to, long timestamp, double value, long token) {
    add(to, timestamp, Value.DOUBLE_FLAGS, Value.rawOf(value), token);
  }

  private void add(SeriesWriter to, long timestamp, int flags, long raw, long token) {
    if (!to.isOf(writer)) {
      throw new IllegalArgumentException("the handle of another database");
    }
    writer.check(to.metric(), to.tags(), timestamp, flags, raw);
    Series series = to.series();
    int share = writer.share(series);
    PointColumns points = shares[share];
    if (points == null) {
      points = writer.columns();
      shares[share] = points;
    }
    handles[share][points.size] = to;
    points.add(series, timestamp, flags, raw, token);
    size++;
    if (points.size == PointColumns.MOST) {
      handOver(share, points);
    }
  }

  /** The number of points that were added and not sent yet. */
  public int size() {
    return size;
  }

  /**
   * Sends all points to the writer. Waits while the store is slow. The receipt receives the outcome
   * of each point with its token, also if the writer accepts no more points.
   */
  public void send() {
    for (int i = 0; i < shares.length; i++) {
      PointColumns points = shares[i];
      if (points != null && points.size > 0) {
        handOver(i, points);
      }
    }
  }

  private void handOver(int share, PointColumns points) {
    if (!areCurrent(points)) {
      shares[share] = null;
      size -= points.size;
      putEach(points, handles[share]);
    } else if (points.size < PointColumns.MOST / 2) {
      // What waits in the queue must not take much more memory than its points.
      PointColumns copy = points.copy();
      size -= points.size;
      points.clear();
      writer.take(copy, share, receipt);
    } else {
      shares[share] = null;
      size -= points.size;
      writer.take(points, share, receipt);
    }
  }

  private boolean areCurrent(PointColumns points) {
    for (int i = 0; i < points.size; i++) {
      if (!writer.isCurrent(points.series[i])) {
        return false;
      }
    }
    return true;
  }

  /** Names may have been renamed or deleted since the points were added. */
  private void putEach(PointColumns points, SeriesWriter[] to) {
    for (int i = 0; i < points.size; i++) {
      PointValue value = new PointValue(points.flags[i], points.raws[i]);
      try {
        to[i].put(points.timestamps[i], value, receipt, points.tokens[i]);
      } catch (RuntimeException e) {
        Receipts.tell(receipt, points.tokens[i], e);
      } catch (OutOfMemoryError e) {
        Receipts.tell(receipt, points.tokens[i], PointIntake.outOfMemory(e));
      }
    }
  }
}
