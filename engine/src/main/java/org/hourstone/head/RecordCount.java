package org.hourstone.head;

import java.util.HashMap;
import java.util.Map;
import org.hourstone.codec.CorruptDataException;
import org.hourstone.codec.Qualifier;

/**
 * Counts the records of a log, taken in order, whether they can be read or not. For one thread.
 *
 * @see WriterLog#count
 */
final class RecordCount {
  /** The points of each row that no record says is sealed. */
  private final Map<Long, Long> points = new HashMap<>();

  private long first;
  private long last;
  private long records;
  private long bytes;
  private long unreadable;

  /**
   * @param stored its bytes in the store
   * @param record its value
   */
  void add(long number, long stored, byte[] record) {
    first = records == 0 ? number : first;
    last = number;
    records++;
    bytes += stored;
    try {
      RecordReader.read(
          record,
          new RecordReader.Visitor() {
            @Override
            public void sealed(long row) {
              points.remove(row);
            }

            @Override
            public void opened(long row, byte[] key) {
              // Its points follow.
            }

            @Override
            public void points(long row, byte[] source, int from, int count) {
              points.merge(row, pointsOf(source, from, count), Long::sum);
            }
          });
    } catch (CorruptDataException e) {
      unreadable++;
    }
  }

  private static long pointsOf(byte[] source, int from, int count) {
    long number = 0;
    for (int at = from; at < from + count; number++) {
      int width = Qualifier.width(source[at]);
      at += width + Qualifier.valueLength(Qualifier.flags(source, at));
    }
    return number;
  }

  long records() {
    return records;
  }

  /** Of the stored records. */
  long bytes() {
    return bytes;
  }

  /** How many of them can't be read. */
  long unreadable() {
    return unreadable;
  }

  /** How many are missing between the first and the last. */
  long missing() {
    return records == 0 ? 0 : last - first + 1 - records;
  }

  /** The points of those that can be read, but for those of rows that are sealed. */
  long points() {
    return points.values().stream().mapToLong(Long::longValue).sum();
  }
}
