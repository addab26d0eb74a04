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
 * <p>A run need not see the series that other processes write concurrently, since they enter these
 * themselves. A process that does not marks the index incomplete, and this run then leaves it so;
 * if others may write, an incomplete index is read only after such processes have had the time to
 * notice the run ({@link Completeness}). For one thread, once.
 */
public final class IndexRebuild {
  private static final int BATCH = 1000;

  private final SeriesIndex index;
  private final Completeness completeness;
  private final List<Family> families;
  private final RowKey keys;
  private final InstantSource clock;
  private final Listener listener;
  private final TableReader reader;
  private final Set<Bytes> batch = new LinkedHashSet<>();
  private long entered;
  private boolean inOwnBuckets = true;

  /** Receives progress, on the thread that runs the rebuild. */
  @FunctionalInterface
  public interface Listener {
    /**
     * Some rows were read.
     *
     * @param rows in all so far
     * @param entered how many series were missing so far
     */
    void reached(long rows, long entered);

    /**
     * The run waits before it reads, for processes that write without keeping the index to notice
     * it. Called every second.
     *
     * @param seconds how much longer, at least 1
     */
    default void waiting(long seconds) {}
  }

  /**
   * The result of a run.
   *
   * @param rows how many were read
   * @param entered how many series were missing
   * @param complete whether the index is complete now; if not, another process has concurrently
   *     written without keeping it, or has started another run
   */
  public record Report(long rows, long entered, boolean complete) {}

  IndexRebuild(
      SeriesIndex index,
      Completeness completeness,
      KeyValueStore store,
      List<Family> families,
      RowKey keys,
      InstantSource clock,
      Listener listener) {
    this.index = index;
    this.completeness = completeness;
    this.families = families;
    this.keys = keys;
    this.clock = clock;
    this.listener = listener;
    this.reader = new TableReader(store, rows -> listener.reached(rows, entered));
  }

  /**
   * Reads all rows of data. Families that are complete stay so during the run.
   *
   * @throws org.hourstone.kv.StoreException if the store fails; series entered so far stay
   * @throws CancellationException if the thread is interrupted before the rows are read
   */
  public Report run() {
    long run = Completeness.newNumber();
    waitUntil(completeness.beginRun(run));
    families.forEach(family -> reader.read(family, Scan.all(), row -> see(row.key())));
    enter();
    return new Report(reader.rows(), entered, completeness.endRun(run, inOwnBuckets));
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
