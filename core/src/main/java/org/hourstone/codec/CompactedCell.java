package org.hourstone.codec;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * Several points of one row in one cell. See {@code docs/format/compaction.md}.
 *
 * <pre>
 *   qualifier: the points' qualifiers, 2 or 4 bytes each, in time order
 *   value:     the points' values in the same order, then 00, or 01 if seconds and milliseconds mix
 * </pre>
 *
 * <p>A single point is stored as such, without the last byte.
 *
 * @param qualifier of the cell
 * @param value of the cell
 */
public record CompactedCell(byte[] qualifier, byte[] value) {
  private static final byte ONE_RESOLUTION = 0;
  private static final byte MIXED_RESOLUTIONS = 1;

  /**
   * The fewest cells that contain all points, none larger than a bound: usually one.
   *
   * @param points at least one, in time order
   * @param maxBytes of a cell's qualifier and value together; a single point becomes a cell
   *     whatever its size
   */
  public static List<CompactedCell> of(RowPoints points, int maxBytes) {
    return of(points, maxBytes, from -> true);
  }

  /**
   * As {@link #of(RowPoints, int)}, but a cell may begin only at certain points. If too many points
   * must stay together, their cell is larger than the bound.
   *
   * @param mayBegin whether a cell may begin with the point of this index
   */
  public static List<CompactedCell> of(RowPoints points, int maxBytes, IntPredicate mayBegin) {
    List<CompactedCell> cells = new ArrayList<>(1);
    int from = 0;
    int bytes = 1;
    int next = 0; // the last point with which the next cell may begin; none yet if it equals from
    int bytesFromNext = 0;
    for (int i = 0; i < points.size(); i++) {
      int more = (points.isMillis(i) ? 4 : 2) + Qualifier.valueLength(points.flags(i));
      if (i > from && mayBegin.test(i)) {
        next = i;
        bytesFromNext = 0;
      }
      if (bytes + more > maxBytes && next > from) {
        cells.add(of(points, from, next));
        from = next;
        bytes = 1 + bytesFromNext;
      }
      bytes += more;
      bytesFromNext += more;
    }
    cells.add(of(points, from, points.size()));
    return cells;
  }

  /** The cell of points {@code from} (inclusive) to {@code to} (exclusive), at least one. */
  public static CompactedCell of(RowPoints points, int from, int to) {
    int qualifierLength = 0;
    int valueLength = 0;
    int millis = 0;
    for (int i = from; i < to; i++) {
      qualifierLength += points.isMillis(i) ? 4 : 2;
      valueLength += Qualifier.valueLength(points.flags(i));
      millis += points.isMillis(i) ? 1 : 0;
    }
    int count = to - from;
    byte[] qualifier = new byte[qualifierLength];
    byte[] value = new byte[count == 1 ? valueLength : valueLength + 1];
    int qualifierAt = 0;
    int valueAt = 0;
    for (int i = from; i < to; i++) {
      qualifierAt = points.putQualifier(i, qualifier, qualifierAt);
      valueAt = points.putValue(i, value, valueAt);
    }
    if (count > 1) {
      value[valueAt] = millis == 0 || millis == count ? ONE_RESOLUTION : MIXED_RESOLUTIONS;
    }
    return new CompactedCell(qualifier, value);
  }

  /**
   * The cell as OpenTSDB's batches write it: the value ends with that of the last point. Readers
   * must accept both forms.
   */
  public CompactedCell withoutMetadataByte() {
    boolean single = qualifier.length == Qualifier.width(qualifier[0]);
    return single ? this : new CompactedCell(qualifier, Arrays.copyOf(value, value.length - 1));
  }
}
