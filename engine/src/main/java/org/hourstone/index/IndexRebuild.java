package org.hourstone.index;

import java.time.InstantSource;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.locks.LockSupport;
import org.hourstone.codec.RowKey;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Scan;
import org.hourstone.table.TableListener;
import org.hourstone.table.TableRange;
import org.hourstone.table.TableRanges;
import org.hourstone.table.TableRun;

/**
 * Enters all series that have rows into the index, and marks it complete. Nothing is removed, so a
 * run may be stopped and restarted at any time.
 *
 * <p>A run need not see the series that other processes write concurrently, since those processes
 * enter them. A process that writes without entering series marks the index incomplete, and the run
 * then leaves it incomplete. If other processes may write, the rebuild of an incomplete index waits
 * until such processes have had time to notice the run ({@link Completeness}). For one thread,
 * once.
 */
public final class IndexRebuild {
  private static final int BATCH = 1000;

  private final SeriesEntries entries;
  private final Completeness completeness;
  private final AssignedUids uids;
  private final KeyValueStore store;
  private final List<Family> families;
  private final RowKey keys;
  private final InstantSource clock;
  private final Listener listener;
  private final Set<Bytes> batch = new LinkedHashSet<>();
  private long entered;
  private boolean inOwnBuckets = true;

  /** Receives the progress. */
  public interface Listener extends TableListener {
    /** A listener that does nothing. */
    Listener NONE = new Listener() {};

    /**
     * The run waits before it reads, so that processes that write without maintaining the index
     * notice it. Called every second, by the thread that runs the rebuild.
     *
     * @param seconds the remaining time, at least 1
     */
    default void waiting(long seconds) {}
  }

  /**
   * The result of a run.
   *
   * @param rows the number of rows read
   * @param entered the number of series that were missing
   * @param complete whether the index is complete now; if not, another process has concurrently
   *     written without maintaining it, or has started another run
   */
  public record Report(long rows, long entered, boolean complete) {}

  IndexRebuild(
      SeriesEntries entries,
      Completeness completeness,
      AssignedUids uids,
      KeyValueStore store,
      List<Family> families,
      RowKey keys,
      InstantSource clock,
      Listener listener) {
    this.entries = entries;
    this.completeness = completeness;
    this.uids = uids;
    this.store = store;
    this.families = families;
    this.keys = keys;
    this.clock = clock;
    this.listener = listener;
  }

  /** As {@link #run(int)}, on the calling thread. */
  public Report run() {
    return run(1);
  }

  /**
   * Reads all data rows. Families that are complete stay complete during the run.
   *
   * @param threads the number of threads that read, at least 1
   * @throws org.hourstone.kv.StoreException if the store fails; series entered before that stay in
   *     the index
   * @throws CancellationException if the thread is interrupted before the rows are read
   */
  public Report run(int threads) {
    long run = Completeness.newNumber();
    waitUntil(completeness.beginRun(run));
    List<Long> counters = uids.counters();
    TableRun reading = new TableRun(store, ranges(counters.get(0)), threads, listener);
    reading.readAll(row -> see(row.key()));
    enter();
    boolean complete = completeness.endRun(run, inOwnBuckets);
    if (complete) {
      uids.completed(counters);
    }
    return new Report(reading.rows(), entered, complete);
  }

  private List<TableRange> ranges(long assignedMetrics) {
    List<Scan> each = TableRanges.ofRows(keys, assignedMetrics, TableRun.RANGES);
    return families.stream().flatMap(family -> TableRange.of(family, each).stream()).toList();
  }

  private void waitUntil(long millis) {
    while (clock.millis() < millis) {
      listener.waiting((millis - clock.millis() + 999) / 1000);
      if (clock.millis() < millis) {
        LockSupport.parkNanos(1_000_000_000L);
      }
      if (Thread.currentThread().isInterrupted()) {
        throw new CancellationException("interrupted while it waited");
      }
    }
  }

  private void see(byte[] row) {
    if (!keys.isSeriesRow(row)) {
      return;
    }
    byte[] tsuid = keys.tsuid(row);
    boolean own = keys.isInOwnBucket(row, tsuid);
    boolean missing = !entries.isEntered(tsuid);
    if (!own || missing) {
      note(tsuid, own, missing);
    }
  }

  private synchronized void note(byte[] tsuid, boolean own, boolean missing) {
    inOwnBuckets &= own;
    if (missing) {
      batch.add(new Bytes(tsuid));
      if (batch.size() >= BATCH) {
        enter();
      }
    }
  }

  private synchronized void enter() {
    if (!batch.isEmpty()) {
      entered += entries.enterFound(batch.stream().map(Bytes::array).toList()).size();
      batch.clear();
    }
  }
}
