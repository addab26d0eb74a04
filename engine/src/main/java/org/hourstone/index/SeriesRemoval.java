package org.hourstone.index;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.hourstone.internal.WritesUnderWay;
import org.hourstone.kv.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * Removes the entries of series that have no row left, while rows are written.
 *
 * <p><strong>No entry is removed of a series with a row.</strong> Every write of rows, and every
 * use of rows that were read, has {@linkplain WritesUnderWay#begin begun} before it trusts an entry
 * that is known or read, and ends when its rows are readable. A removal
 *
 * <ol>
 *   <li>makes series candidates. A write that begins later keeps those of its rows: they are
 *       candidates no longer;
 *   <li>waits until all writes have ended that began before: their rows are readable;
 *   <li>reads the rows of the metric, and keeps their series;
 *   <li>deletes the entries of the candidates that are left, and forgets that they are known. A
 *       write that begins to keep one of them waits for that, and enters the series again.
 * </ol>
 *
 * <p>Writes of other processes, or of other databases over the same store, are not seen. So nothing
 * is removed unless this database is {@linkplain #allow alone}. Thread-safe; one removal at a time.
 */
public final class SeriesRemoval {
  /** The number of candidates at a time. */
  static final int BATCH = 100_000;

  /** The memory of the series that were removed. */
  private static final long REMOVED_BYTES = 8L << 20;

  private final IndexTable table;
  private final LoadedMetrics loaded;
  private final KnownSeries known;
  private final SeriesLimit limit;
  private final KnownSeries removed = new KnownSeries(REMOVED_BYTES);
  private final AtomicBoolean isRunning = new AtomicBoolean();

  private final WritesUnderWay writes;

  /** Its elements are changed while holding the monitor; null unless there is a removal. */
  private volatile @Nullable Set<Bytes> candidates;

  /** Guarded by this. */
  private boolean isAllowed;

  /** Reads rows. */
  public interface Rows {
    /**
     * Passes the TSUIDs of rows of a metric, of all tables, with those that are not written to
     * their table yet.
     *
     * @param each returns whether rows of other series are still sought
     */
    void read(byte[] metric, Predicate<byte[]> each);
  }

  SeriesRemoval(
      IndexTable table,
      LoadedMetrics loaded,
      KnownSeries known,
      SeriesLimit limit,
      WritesUnderWay writes) {
    this.table = table;
    this.loaded = loaded;
    this.known = known;
    this.limit = limit;
    this.writes = writes;
  }

  /** No other database writes to the store, until {@link #forbid}. */
  public synchronized void allow() {
    isAllowed = true;
  }

  /** Another database may write to the store as soon as this has returned. */
  public synchronized void forbid() {
    isAllowed = false;
  }

  /** Whether entries may be removed. */
  public synchronized boolean isAllowed() {
    return isAllowed;
  }

  /** Called by a write that has begun, for each series of its rows, before it trusts an entry. */
  void keep(byte[] tsuid) {
    if (candidates != null) {
      synchronized (this) {
        Set<Bytes> now = candidates;
        if (now != null) {
          now.remove(new Bytes(tsuid));
        }
      }
    }
  }

  /** Whether the series was removed: a row of it that was read before was deleted since. */
  boolean wasRemoved(byte[] tsuid) {
    return removed.contains(tsuid);
  }

  /**
   * Removes the entries of a metric's series without a row.
   *
   * @param before called with the TSUIDs of series right before their entries are deleted; values
   *     of these series are accepted only after that
   * @return the number of these series
   * @throws org.hourstone.kv.StoreException if the store fails; some may be removed
   */
  public long remove(byte[] metric, Rows rows, Consumer<List<byte[]>> before) {
    if (!isRunning.compareAndSet(false, true)) {
      return 0;
    }
    try {
      long count = 0;
      List<byte[]> some = table.entriesAfter(metric, BATCH);
      while (!some.isEmpty() && isAllowed() && !Thread.currentThread().isInterrupted()) {
        count += remove(metric, some, rows, before);
        byte[] last = some.get(some.size() - 1);
        some = some.size() < BATCH ? List.of() : table.entriesAfter(metric, last, BATCH);
      }
      return count;
    } finally {
      isRunning.set(false);
    }
  }

  private int remove(byte[] metric, List<byte[]> some, Rows rows, Consumer<List<byte[]>> before) {
    try {
      Set<Bytes> set = new HashSet<>();
      some.forEach(tsuid -> set.add(new Bytes(tsuid)));
      synchronized (this) {
        candidates = set;
      }
      if (!writes.awaitEarlier()) {
        return 0;
      }
      rows.read(metric, this::keepsOthers);
      return removeLeft(metric, before);
    } finally {
      synchronized (this) {
        candidates = null;
      }
    }
  }

  private synchronized boolean keepsOthers(byte[] tsuid) {
    Set<Bytes> now = candidates;
    if (now == null) {
      return false;
    }
    now.remove(new Bytes(tsuid));
    return !now.isEmpty();
  }

  private synchronized int removeLeft(byte[] metric, Consumer<List<byte[]>> before) {
    Set<Bytes> now = candidates;
    if (!isAllowed || now == null || now.isEmpty()) {
      return 0;
    }
    List<byte[]> left = now.stream().map(Bytes::array).toList();
    before.accept(left);
    known.removeAll(now);
    left.forEach(removed::add);
    table.deleteEntries(left);
    left.forEach(limit::removed);
    loaded.drop(metric);
    return left.size();
  }
}
