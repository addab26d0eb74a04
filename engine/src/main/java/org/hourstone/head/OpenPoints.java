package org.hourstone.head;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.hourstone.codec.AppendCell;
import org.hourstone.codec.CompactedCell;
import org.hourstone.codec.Qualifier;
import org.hourstone.codec.RowPoints;
import org.hourstone.kv.Change;

/**
 * The points of an open row at a moment.
 *
 * @param key of the row
 * @param openedAt in milliseconds since the epoch
 * @param bytes whose first {@code length} bytes are the points, as in an append cell
 */
record OpenPoints(byte[] key, long openedAt, byte[] bytes, int length) {
  /** How many there are. */
  int count() {
    int count = 0;
    for (int at = 0; at < length; count++) {
      at += Qualifier.width(bytes[at]) + Qualifier.valueLength(Qualifier.flags(bytes, at));
    }
    return count;
  }

  /** By offset, in milliseconds, the {@link #code} of the last point there. */
  Map<Integer, Integer> codes() {
    Map<Integer, Integer> codes = new HashMap<>();
    for (int at = 0; at < length; ) {
      int width = Qualifier.width(bytes[at]);
      int flags = Qualifier.flags(bytes, at);
      codes.put(Qualifier.offsetMillis(bytes, at), code(width == 4, flags));
      at += width + Qualifier.valueLength(flags);
    }
    return codes;
  }

  /** An append of all points. */
  Change append() {
    return new Change.Append(AppendCell.qualifier(), Arrays.copyOf(bytes, length));
  }

  /** Some points, in order of arrival, each as a cell that has its timestamp as write time. */
  List<Change> dated(long baseTime, int from, int to) {
    List<Change> changes = new ArrayList<>(to - from);
    int at = 0;
    for (int i = 0; i < to; i++) {
      int value = at + Qualifier.width(bytes[at]);
      int end = value + Qualifier.valueLength(Qualifier.flags(bytes, at));
      if (i >= from) {
        changes.add(
            new Change.PutIfNewer(
                Arrays.copyOfRange(bytes, at, value),
                Arrays.copyOfRange(bytes, value, end),
                baseTime * 1000 + Qualifier.offsetMillis(bytes, at)));
      }
      at = end;
    }
    return changes;
  }

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

  /** What a qualifier has besides its offset, as a number. */
  static int code(boolean inMillis, int flags) {
    return inMillis ? ~flags : flags;
  }
}
