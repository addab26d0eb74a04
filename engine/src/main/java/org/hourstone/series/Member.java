package org.hourstone.series;

/**
 * A series of an aggregation and its position: the point at or before the current timestamp and the
 * next point. Both are copied from the column, so that the column is not read at the many
 * timestamps at which only other series have points.
 */
final class Member {
  /** The timestamp of the next point if there is none. */
  static final long NONE = Long.MAX_VALUE;

  /** The timestamp of the next point if it has not arrived yet. */
  static final long UNKNOWN = Long.MIN_VALUE;

  private final byte[] order;
  private final PointColumn column;

  /** The index of the point after. */
  private int next;

  private boolean live;
  private long millis;
  private long bits;
  private double number;
  private boolean integer;
  private long nextMillis = NONE;
  private long nextBits;
  private double nextNumber;
  private boolean nextInteger = true;

  /**
   * @param order the series' position among the series
   * @param memory for its points
   */
  Member(byte[] order, MemoryLease memory) {
    this.order = order;
    this.column = new PointColumn(memory);
  }

  byte[] order() {
    return order;
  }

  /** The column to which points are added. */
  PointColumn column() {
    return column;
  }

  /** The index of the next point in the column. */
  int next() {
    return next;
  }

  /** The timestamp of the point at or before the current timestamp, once the series has begun. */
  long millis() {
    return millis;
  }

  /** Whether the next point is an integer or absent. */
  boolean nextIsInteger() {
    return nextInteger;
  }

  /** The timestamp of the next point, {@link #NONE} or {@link #UNKNOWN}. */
  long nextMillis() {
    return nextMillis;
  }

  /** The number of points in the column that are not consumed yet. */
  int left() {
    return column.size() - next;
  }

  /** Whether the series has begun. */
  boolean live() {
    return live;
  }

  /** Reads the points that have arrived. */
  void refresh(boolean ended) {
    if (next < column.size()) {
      nextMillis = column.millis(next);
      nextBits = column.bits(next);
      nextNumber = column.doubleValue(next);
      nextInteger = column.isInteger(next);
    } else {
      nextMillis = live && !ended ? UNKNOWN : NONE;
      nextInteger = true;
    }
  }

  /**
   * Moves to a timestamp that is not after the next point.
   *
   * @return false if it is after the last point, so that the series has ended
   */
  boolean advanceTo(long instant, boolean ended) {
    if (nextMillis == instant) {
      take(1, ended);
    }
    return nextMillis != NONE || millis == instant;
  }

  /** Consumes the points before a timestamp and adds them to another column. */
  void passOn(long stop, boolean ended, PointColumn out) {
    int first = next;
    take(column.firstFrom(stop) - next, ended);
    if (first == 0 && next == column.size()) {
      out.moveAll(column);
      next = 0;
    } else {
      out.addAll(column, first, next);
    }
  }

  /** Consumes a number of points, which must have arrived. */
  void take(int count, boolean ended) {
    next += count;
    millis = column.millis(next - 1);
    bits = column.bits(next - 1);
    number = column.doubleValue(next - 1);
    integer = column.isInteger(next - 1);
    live = true;
    refresh(ended);
  }

  /** Drops the consumed points. */
  void forget() {
    column.dropFirst(next);
    next = 0;
  }

  /** Whether the current or the next point is a double. */
  boolean hasDoubleAvailable() {
    return (live && !integer) || !nextInteger;
  }

  /** Whether the series' contribution at a timestamp is computed from a double. */
  boolean givesDouble(long instant) {
    return live && (!integer || (millis != instant && !nextInteger));
  }

  /** The series' contribution at a timestamp if all points around it are integers. */
  long longAt(long instant, Interpolation interpolation) {
    return millis == instant
        ? bits
        : interpolation.between(instant, millis, bits, nextMillis, nextBits);
  }

  double doubleAt(long instant, Interpolation interpolation) {
    return millis == instant
        ? number
        : interpolation.between(instant, millis, number, nextMillis, nextNumber);
  }
}
