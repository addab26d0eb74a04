package org.hourstone.codec;

/**
 * The cell to which points are appended, in order of arrival. See {@code docs/format/append.md}.
 *
 * <pre>
 *   qualifier: 05 00 00
 *   value:     (the point's qualifier, 2 or 4 bytes; the point's value)*
 * </pre>
 */
public final class AppendCell {
  private static final byte[] QUALIFIER = {5, 0, 0};

  private AppendCell() {}

  /** The cell's qualifier, in a new array. */
  public static byte[] qualifier() {
    return QUALIFIER.clone();
  }

  /** The bytes to append for some points, or a whole cell of them, in the order given. */
  public static byte[] encode(RowPoints points) {
    int length = 0;
    for (int i = 0; i < points.size(); i++) {
      length += (points.isMillis(i) ? 4 : 2) + Qualifier.valueLength(points.flags(i));
    }
    byte[] value = new byte[length];
    int at = 0;
    for (int i = 0; i < points.size(); i++) {
      at = points.putQualifier(i, value, at);
      at = points.putValue(i, value, at);
    }
    return value;
  }

  /**
   * Adds the points of a cell to others, in time order: of points with one timestamp only the last.
   *
   * @param cell whose first {@code length} bytes are those of whole points
   */
  public static void read(byte[] cell, int length, RowPoints points) {
    int first = points.size();
    int at = 0;
    while (at < length) {
      int width = Qualifier.width(cell[at]);
      int flags = Qualifier.flags(cell, at);
      int offset = Qualifier.offsetMillis(cell, at);
      points.add(offset, width == 4, flags, Value.rawAt(flags, cell, at + width));
      at += width + Qualifier.valueLength(flags);
    }
    points.sort(first);
    points.keepLastOfEachInstant(first);
  }
}
