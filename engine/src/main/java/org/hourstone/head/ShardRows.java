package org.hourstone.head;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The open rows of a shard, in the order in which they were opened, and so of their first records;
 * how many points others wait for, and the memory of all. A row is counted until it is closed. Rows
 * are linked with each other: a row needs no entry in a set. For the thread of the shard.
 */
final class ShardRows implements Iterable<OpenRow> {
  private @Nullable OpenRow first;
  private @Nullable OpenRow last;

  /** The bytes of all shards. */
  private final LongAdder total;

  private long points;
  private long bytes;

  /** How much of that the total has. */
  private long reportedBytes;

  ShardRows(LongAdder total) {
    this.total = total;
  }

  /** Without {@link #grow}. No effect if it is there. */
  void add(OpenRow row) {
    if (!row.isListed) {
      row.isListed = true;
      row.previous = last;
      if (last == null) {
        first = row;
      } else {
        last.next = row;
      }
      last = row;
    }
  }

  void grow(long more) {
    bytes += more;
  }

  /** Another waits for a point. */
  void addPoint() {
    points++;
    bytes += OpenRow.WAITING_BYTES;
  }

  /** The row has no points any more, nor has the memory for them. It is still among the rows. */
  void close(OpenRow row) {
    if (!row.isClosed()) {
      Waiting waiting = row.waiting();
      points -= waiting == null ? 0 : waiting.size();
      bytes -= row.memory();
      row.close();
    }
  }

  void remove(OpenRow row) {
    if (row.isListed) {
      OpenRow before = row.previous;
      OpenRow after = row.next;
      if (before == null) {
        first = after;
      } else {
        before.next = after;
      }
      if (after == null) {
        last = before;
      } else {
        after.previous = before;
      }
      row.previous = null;
      row.next = null;
      row.isListed = false;
    }
  }

  /** Adds to the total how much the memory has changed. */
  void report() {
    total.add(bytes - reportedBytes);
    reportedBytes = bytes;
  }

  /** Counts again, after an error that may have interrupted a step. */
  void recount() {
    bytes = 0;
    points = 0;
    for (OpenRow row : this) {
      bytes += row.memory();
      points += row.points();
    }
    report();
  }

  boolean contains(OpenRow row) {
    return row.isListed;
  }

  boolean isEmpty() {
    return first == null;
  }

  /** A copy. */
  List<OpenRow> all() {
    List<OpenRow> all = new ArrayList<>();
    forEach(all::add);
    return all;
  }

  @Override
  public Iterator<OpenRow> iterator() {
    return new Iterator<>() {
      private @Nullable OpenRow next = first;

      @Override
      public boolean hasNext() {
        return next != null;
      }

      @Override
      public OpenRow next() {
        OpenRow row = next;
        if (row == null) {
          throw new NoSuchElementException();
        }
        next = row.next;
        return row;
      }
    };
  }

  long points() {
    return points;
  }

  long bytes() {
    return bytes;
  }
}
