package org.hourstone.index;

import java.time.InstantSource;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.locks.LockSupport;
import org.hourstone.codec.RowKey;
import org.hourstone.internal.TableReader;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Scan;

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

  private final SeriesIndex index;
  private final Completeness completeness;
  private final AssignedUids uids;
  private final List<Family> families;
  private final RowKey keys;
  private final InstantSource clock;
  private final Listener listener;
  private final TableReader reader;
  private final Set<Bytes> batch = new LinkedHashSet<>();
  private long entered;
  private boolean inOwnBuckets = true;

  /** Receives the progress, on the thread that runs the rebuild. */
  @FunctionalInterface
  public interface Listener {
    /**
     * Some rows were read.
     *
     * @param rows the number of rows so far
     * @param entered the number of missing series so far
     */
    void reached(long rows, long entered);

    /**
     * The run waits before it reads, so that processes that write without maintaining the index
     * notice it. Called every second.
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
      SeriesIndex index,
      Completeness completeness,
      AssignedUids uids,
      KeyValueStore store,
      List<Family> families,
      RowKey keys,
      InstantSource clock,
      Listener listener) {
    this.index = index;
    this.completeness = completeness;
    this.uids = uids;
    this.families = families;
    this.keys = keys;
    this.clock = clock;
    this.listener = listener;
    this.reader = new TableReader(store, rows -> listener.reached(rows, entered));
  }

  /**
   * Reads all data rows. Families that are complete stay complete during the run.
   *
   * @throws org.hourstone.kv.StoreException if the store fails; series entered before that stay in
   *     the index
   * @throws CancellationException if the thread is interrupted before the rows are read
   */
  public Report run() {
    long run = Completeness.newNumber();
    waitUntil(completeness.beginRun(run));
    List<Long> counters = uids.counters();
    families.forEach(family -> reader.read(family, Scan.all(), row -> see(row.key())));
    enter();
    boolean complete = completeness.endRun(run, inOwnBuckets);
    if (complete) {
      uids.completed(counters);
    }
    return new Report(reader.rows(), entered, complete);
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
    inOwnBuckets &= keys.isInOwnBucket(row, tsuid);
    if (!index.isEntered(tsuid)) {
      batch.add(new Bytes(tsuid));
      if (batch.size() >= BATCH) {
        enter();
      }
    }
  }

  private void enter() {
    if (!batch.isEmpty()) {
      entered += index.enter(batch.stream().map(Bytes::array).toList());
      batch.clear();
    }
  }
}
