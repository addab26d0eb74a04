package org.hourstone.head;

import java.util.List;
import org.hourstone.codec.AppendCell;
import org.hourstone.codec.CompactedCell;
import org.hourstone.codec.RowPoints;

/**
 * The points of an open row at a moment.
 *
 * @param key of the row
 * @param openedAt in milliseconds since the epoch
 * @param bytes whose first {@code length} bytes are the points, as in an append cell
 */
record OpenPoints(byte[] key, long openedAt, byte[] bytes, int length) {
  /**
   * The cells they are stored as: sorted, and of points with the same timestamp the last one.
   *
   * @param scratch working space
   */
  List<CompactedCell> cells(RowPoints scratch, int maxBytes) {
    scratch.clear();
    AppendCell.read(bytes, length, scratch);
    return CompactedCell.of(scratch, maxBytes);
  }
}
