package org.hourstone.query.rows;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueReader;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.Scan;
import org.jspecify.annotations.Nullable;

/**
 * Merges the rows of several scans, one for each salt bucket, in the order of their keys without
 * the salt. Two rows that differ only in the salt are adjacent. Holds a cursor for each scan until
 * closed; for one thread.
 */
public final class MergedRows implements RowCursor {
  /** A scan and its next row. */
  private record Head(Row row, RowCursor rest) {}

  private final List<RowCursor> cursors = new ArrayList<>();
  private final PriorityQueue<Head> heads;

  /**
   * @param saltWidth bytes of the salt
   */
  public MergedRows(KeyValueReader store, Family family, List<Scan> scans, int saltWidth) {
    Comparator<Head> unsalted =
        (one, other) -> compare(one.row().key(), other.row().key(), saltWidth);
    heads = new PriorityQueue<>(unsalted.thenComparing(Head::row, MergedRows::bySalt));
    try {
      for (Scan scan : scans) {
        RowCursor cursor = store.scan(family, scan);
        cursors.add(cursor);
        push(cursor);
      }
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  /** The order of two keys from a byte on. */
  public static int compare(byte[] one, byte[] other, int from) {
    return Arrays.compareUnsigned(
        one,
        Math.min(from, one.length),
        one.length,
        other,
        Math.min(from, other.length),
        other.length);
  }

  private static int bySalt(Row one, Row other) {
    return Arrays.compareUnsigned(one.key(), other.key());
  }

  private void push(RowCursor cursor) {
    Row row = cursor.next();
    if (row != null) {
      heads.add(new Head(row, cursor));
    }
  }

  @Override
  public @Nullable Row next() {
    Head head = heads.poll();
    if (head == null) {
      return null;
    }
    push(head.rest());
    return head.row();
  }

  @Override
  public void close() {
    cursors.forEach(RowCursor::close);
  }
}
