package org.hourstone.rewrite;

import java.util.List;
import org.hourstone.codec.Qualifier;
import org.hourstone.codec.RowPoints;
import org.hourstone.codec.Value;

/**
 * A point read from a cell.
 *
 * @param part its cell
 * @param position its position in the cell, so that no two points of a cell are equal
 * @param offset its offset from the row's base time, in milliseconds
 * @param millis whether its timestamp is in milliseconds
 * @param flags the flags of its qualifier
 * @param raw the value as {@link Value} holds it
 */
public record StoredPoint(
    RowPart part, int position, int offset, boolean millis, int flags, long raw) {
  static StoredPoint of(RowPoints points, int i, RowPart part) {
    return new StoredPoint(
        part, i, points.offset(i), points.isMillis(i), points.flags(i), points.raw(i));
  }

  /** The write time of its cell. */
  public long writeTime() {
    return part.writeTime;
  }

  public StoredPoint atOffset(int other) {
    return new StoredPoint(part, position, other, millis, flags, raw);
  }

  /** The same point; an integer value has the shortest form. */
  StoredPoint shortened() {
    return Qualifier.isFloat(flags)
        ? this
        : new StoredPoint(part, position, offset, millis, Value.flagsOf(raw), raw);
  }

  /** Whether two points of one timestamp are equal, regardless of their resolution. */
  public boolean hasValueOf(StoredPoint other) {
    return flags == other.flags && raw == other.raw;
  }

  double number() {
    return Value.toDouble(flags, raw);
  }

  public String text() {
    return Qualifier.isFloat(flags) ? Double.toString(number()) : Long.toString(raw);
  }

  public static RowPoints toRowPoints(List<StoredPoint> points) {
    RowPoints all = new RowPoints();
    points.forEach(point -> all.add(point.offset, point.millis, point.flags, point.raw));
    return all;
  }
}
