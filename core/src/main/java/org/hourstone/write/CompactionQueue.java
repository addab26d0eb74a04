package org.hourstone.write;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.atomic.LongAdder;
import org.hourstone.codec.CorruptDataException;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * The rows that were written and wait to be compacted. A row is due when its hour is over, plus a
 * delay that depends on its key, so that the rows of an hour don't all come at its end.
 *
 * <p>Nothing of this is stored: what waits when the process ends stays uncompacted, which costs
 * space and no point. Thread-safe; {@link #rows} and what is counted with it are guarded by this.
 */
public final class CompactionQueue {
  private record Entry(long dueSeconds, Bytes row) {}

  private static final long RETRY_SECONDS = 60;

  private final RowCompactor compactor;
  private final InstantSource clock;
  private final int capacity;
  private final long spreadSeconds;
  private final TreeSet<Entry> rows =
      new TreeSet<>(Comparator.comparingLong(Entry::dueSeconds).thenComparing(Entry::row));
  private final LongAdder compacted = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private final LongAdder forgotten = new LongAdder();
  private volatile @Nullable String lastFailure;

  /**
   * @param capacity how many rows wait at most
   * @param spreadSeconds over how long the rows of an hour are spread
   */
  public CompactionQueue(
      RowCompactor compactor, InstantSource clock, int capacity, long spreadSeconds) {
    this.compactor = compactor;
    this.clock = clock;
    this.capacity = capacity;
    this.spreadSeconds = Math.max(1, spreadSeconds);
  }

  /** A row was written to. */
  public void add(byte[] row) {
    Bytes key = new Bytes(row);
    add(new Entry(compactor.closedAt(row) + Math.floorMod(key.hashCode(), spreadSeconds), key));
  }

  private synchronized void add(Entry entry) {
    if (rows.size() >= capacity && !rows.contains(entry)) {
      forgotten.increment();
      return;
    }
    rows.add(entry);
  }

  /**
   * Compacts the rows that are due.
   *
   * @param limit how many at most
   * @return how many were looked at
   */
  public int compactDue(int limit) {
    List<Entry> due = takeUpTo(clock.millis() / 1000, limit);
    due.forEach(this::compact);
    return due.size();
  }

  /** Compacts every row whose hour is over, without waiting for its turn. */
  public void flush() {
    long now = clock.millis() / 1000;
    for (Entry entry : takeUpTo(now + spreadSeconds, Integer.MAX_VALUE)) {
      if (compactor.isClosed(entry.row().array())) {
        compact(entry);
      } else {
        add(entry);
      }
    }
  }

  private synchronized List<Entry> takeUpTo(long seconds, int limit) {
    List<Entry> taken = new ArrayList<>();
    while (!rows.isEmpty() && rows.first().dueSeconds() <= seconds && taken.size() < limit) {
      taken.add(rows.pollFirst());
    }
    return taken;
  }

  private void compact(Entry entry) {
    try {
      if (compactor.compact(entry.row().array())) {
        compacted.increment();
      }
    } catch (StoreException e) {
      if (e.outcome() == Outcome.REJECTED) {
        giveUp(e);
      } else {
        add(new Entry(clock.millis() / 1000 + RETRY_SECONDS, entry.row()));
      }
    } catch (CorruptDataException e) {
      giveUp(e);
    }
  }

  private void giveUp(RuntimeException e) {
    failed.increment();
    lastFailure = e.getMessage();
  }

  /** Why the last row was given up, or null. */
  public @Nullable String lastFailure() {
    return lastFailure;
  }

  public synchronized CompactionStats stats() {
    return new CompactionStats(rows.size(), compacted.sum(), failed.sum(), forgotten.sum());
  }
}
