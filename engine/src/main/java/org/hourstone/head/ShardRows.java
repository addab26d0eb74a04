package org.hourstone.head;

import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;

/**
 * The open rows of a shard, in the order in which they were opened, and so of their first records;
 * how many points others wait for, and the memory of all. A row is counted until it is closed. For
 * the thread of the shard.
 */
final class ShardRows implements Iterable<OpenRow> {
  private final Set<OpenRow> rows = new LinkedHashSet<>();

  /** The bytes of all shards. */
  private final LongAdder total;

  private long points;
  private long bytes;

  /** How much of that the total has. */
  private long reportedBytes;

  ShardRows(LongAdder total) {
    this.total = total;
  }

  /** Without {@link #grow}. */
  void add(OpenRow row) {
    rows.add(row);
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
    rows.remove(row);
  }

  /** Adds to the total how much the memory has changed. */
  void report() {
    total.add(bytes - reportedBytes);
    reportedBytes = bytes;
  }

  /** Counts again, after an error that may have interrupted a step. */
  void recount() {
    long counted = 0;
    for (OpenRow row : rows) {
      counted += row.memory();
    }
    bytes = counted;
    report();
    points = rows.stream().mapToLong(OpenRow::points).sum();
  }

  boolean contains(OpenRow row) {
    return rows.contains(row);
  }

  boolean isEmpty() {
    return rows.isEmpty();
  }

  /** A copy. */
  List<OpenRow> all() {
    return List.copyOf(rows);
  }

  @Override
  public Iterator<OpenRow> iterator() {
    return rows.iterator();
  }

  long points() {
    return points;
  }

  long bytes() {
    return bytes;
  }
}
