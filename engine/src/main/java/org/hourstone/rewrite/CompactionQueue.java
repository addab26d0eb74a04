package org.hourstone.rewrite;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.hourstone.codec.CorruptDataException;
import org.hourstone.internal.OutOfMemoryReport;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.Row;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.hourstone.rewrite.CompactionOutcome.Kind;
import org.jspecify.annotations.Nullable;

/**
 * The rows that were written and wait to be compacted. A row is due when its hour is over and it
 * has not been written for some time, plus a delay computed from its key, so that the rows of an
 * hour are not all due at its end. A row of which a journal may have older points is not read again
 * before all journals are known to be sealed up to the time that it needs.
 *
 * <p>The queue is not stored: rows that wait when the process ends stay uncompacted. This costs
 * space, but no point is lost, and a {@link TableCompactor} finds the rows. Thread-safe; {@link
 * #order} and {@link #unsealed} together hold the rows of {@link #waiting}; guarded by this.
 */
public final class CompactionQueue {
  private record Entry(long dueSeconds, Bytes row) {}

  /** A row that may be compacted when journals are sealed up to a time. */
  private record Unsealed(long until, Bytes row) {}

  private static final long RETRY_SECONDS = 60;

  /** 2^32 divided by the golden ratio: multiplying by it spreads adjacent hashes. */
  private static final int GOLDEN_RATIO = 0x9E3779B9;

  private final RowCompactor compactor;
  private final InstantSource clock;
  private final int capacity;
  private final long spreadSeconds;
  private final PriorityQueue<Entry> order =
      new PriorityQueue<>(Comparator.comparingLong(Entry::dueSeconds));
  private final PriorityQueue<Unsealed> unsealed =
      new PriorityQueue<>(Comparator.comparingLong(Unsealed::until));
  private final Set<Bytes> waiting = new HashSet<>();
  private final LongAdder compacted = new LongAdder();
  private final LongAdder unchanged = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private final LongAdder forgotten = new LongAdder();
  private volatile @Nullable String lastFailure;
  private volatile boolean running;
  private volatile @Nullable Instant last;

  /**
   * @param capacity the maximum number of waiting rows
   * @param spread the time over which the rows of an hour are spread
   */
  public CompactionQueue(
      RowCompactor compactor, InstantSource clock, int capacity, Duration spread) {
    if (capacity < 0 || spread.isNegative()) {
      throw new IllegalArgumentException("a queue of " + capacity + " rows, spread over " + spread);
    }
    this.compactor = compactor;
    this.clock = clock;
    this.capacity = capacity;
    this.spreadSeconds = Math.max(1, spread.toSeconds());
  }

  /** Adds a row that was written, unless it already waits. */
  public void add(byte[] row) {
    Bytes key = new Bytes(row);
    long earliest = Math.max(compactor.closedAt(row), now() + compactor.quiet().toSeconds());
    add(new Entry(earliest + delay(key), key));
  }

  /**
   * Delays are evenly spread, although keys that differ only in their last bytes have close hash
   * codes.
   */
  private long delay(Bytes key) {
    long mixed = Integer.toUnsignedLong(key.hashCode() * GOLDEN_RATIO);
    return (mixed * spreadSeconds) >>> Integer.SIZE;
  }

  private synchronized void add(Entry entry) {
    if (isNew(entry.row())) {
      order.add(entry);
    }
  }

  private synchronized void add(Unsealed row) {
    if (isNew(row.row())) {
      unsealed.add(row);
    }
  }

  /** Whether a row that is not in the queue has found room. */
  private boolean isNew(Bytes row) {
    if (!waiting.contains(row) && waiting.size() >= capacity) {
      forgotten.increment();
      return false;
    }
    return waiting.add(row);
  }

  /**
   * Compacts the rows that are due.
   *
   * @param limit the maximum number of rows
   * @return the number of rows checked
   */
  public int compactDue(int limit) {
    queueSealed();
    for (int done = 0; done < limit; done++) {
      List<Bytes> next = takeDue(now(), 1); // one at a time: a failure must not drop the others
      if (next.isEmpty()) {
        return done;
      }
      compact(next.get(0));
    }
    return limit;
  }

  /** Compacts every row whose hour is over, without waiting for its turn. */
  public void flush() {
    queueSealed();
    for (Bytes row : takeDue(Long.MAX_VALUE, Integer.MAX_VALUE)) {
      if (compactor.isClosed(row.array())) {
        compact(row);
      } else {
        add(row.array());
      }
    }
  }

  /** Rows are due that are waiting for journals which are sealed now. */
  private void queueSealed() {
    Unsealed first = firstUnsealed();
    if (first == null) {
      return;
    }
    try {
      long until = compactor.sealedUntil(first.row().array(), first.until());
      synchronized (this) {
        for (Unsealed next = unsealed.peek();
            next != null && next.until() <= until;
            next = unsealed.peek()) {
          order.add(new Entry(now(), unsealed.remove().row()));
        }
      }
    } catch (RuntimeException e) { // they wait for the next time
      lastFailure = e instanceof StoreException ? e.getMessage() : e.toString();
    }
  }

  private synchronized @Nullable Unsealed firstUnsealed() {
    return unsealed.peek();
  }

  private synchronized List<Bytes> takeDue(long seconds, int limit) {
    List<Bytes> taken = new ArrayList<>();
    for (Entry first = order.peek();
        first != null && first.dueSeconds() <= seconds && taken.size() < limit;
        first = order.peek()) {
      order.remove();
      waiting.remove(first.row());
      taken.add(first.row());
    }
    return taken;
  }

  private void compact(Bytes row) {
    CompactionOutcome outcome = attempt(() -> compactor.compact(row.array()));
    if (outcome == null || outcome.kind() != Kind.TOO_EARLY) {
      return;
    }
    if (outcome.unsealed() == CompactionOutcome.SEALED) {
      add(new Entry(now() + RETRY_SECONDS, row));
    } else {
      add(new Unsealed(outcome.unsealed(), row));
    }
  }

  /**
   * Compacts a row that a query has just read, as OpenTSDB does. Failures are counted; the query
   * doesn't fail.
   */
  public void compactRead(Row row) {
    var unused = attempt(() -> compactor.compact(row));
  }

  /** As {@link #compactRead}, but only repairs the append cell. */
  public void repairRead(Row row) {
    var unused = attempt(() -> compactor.repair(row));
  }

  /** Returns null if the compaction has failed for good; TOO_EARLY if it must be tried again. */
  private @Nullable CompactionOutcome attempt(Supplier<CompactionOutcome> compaction) {
    try {
      CompactionOutcome outcome = compaction.get();
      switch (outcome.kind()) {
        case REWRITTEN -> {
          compacted.increment();
          last = clock.instant();
        }
        case UNCHANGED -> unchanged.increment();
        case TOO_EARLY -> {}
      }
      return outcome;
    } catch (StoreException e) {
      lastFailure = e.getMessage();
      if (e.outcome() != Outcome.REJECTED) {
        return CompactionOutcome.TOO_EARLY;
      }
      failed.increment();
    } catch (Throwable e) { // a bad or oversized row must not block the others
      OutOfMemoryReport.report(e);
      failed.increment();
      lastFailure = e instanceof CorruptDataException ? e.getMessage() : e.toString();
    }
    return null;
  }

  /** The last failure, naming the row if one row caused it; null if there was none. */
  public @Nullable String lastFailure() {
    return lastFailure;
  }

  /** When a row was compacted last; null if none was. */
  public @Nullable Instant lastCompacted() {
    return last;
  }

  /** Sets whether a thread compacts rows of the queue; called by that thread. */
  void setRunning(boolean now) {
    running = now;
  }

  public synchronized CompactionStats stats() {
    Entry first = order.peek();
    long behind = first == null ? 0 : Math.max(0, now() - first.dueSeconds());
    return new CompactionStats(
        waiting.size(),
        behind,
        compacted.sum(),
        unchanged.sum(),
        failed.sum(),
        forgotten.sum(),
        compactor.left(),
        running);
  }

  private long now() {
    return clock.millis() / 1000;
  }
}
