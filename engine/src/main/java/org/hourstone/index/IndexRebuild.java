package org.hourstone.index;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
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
 * themselves. A process that does not marks the index incomplete, and this run then leaves it so.
 * For one thread, once.
 */
public final class IndexRebuild {
  private static final int BATCH = 1000;

  private final SeriesIndex index;
  private final IndexTable table;
  private final List<Family> families;
  private final RowKey keys;
  private final TableReader reader;
  private final Set<Bytes> batch = new LinkedHashSet<>();
  private long entered;

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
      KeyValueStore store,
      IndexTable table,
      List<Family> families,
      RowKey keys,
      Listener listener) {
    this.index = index;
    this.table = table;
    this.families = families;
    this.keys = keys;
    this.reader = new TableReader(store, rows -> listener.reached(rows, entered));
  }

  /**
   * Reads all rows of data. Families that are complete stay so during the run.
   *
   * @throws org.hourstone.kv.StoreException if the store fails; series entered so far stay
   */
  public Report run() {
    long run = SeriesIndex.newNumber();
    begin(run);
    families.forEach(family -> reader.read(family, Scan.all(), row -> see(row.key())));
    enter();
    return new Report(reader.rows(), entered, end(run));
  }

  private void begin(long run) {
    while (true) {
      byte[] stored = table.state();
      IndexState state = stored == null ? null : IndexState.read(stored);
      IndexState now =
          state == null ? IndexState.of(keys.schema(), SeriesIndex.newNumber()) : state;
      if (table.changeState(stored, now.rebuilding(run))) {
        return;
      }
    }
  }

  private boolean end(long run) {
    byte[] stored = table.state();
    IndexState state = stored == null ? null : IndexState.read(stored);
    return state != null
        && state.run() == run
        && table.changeState(stored, state.complete(families).withoutRun());
  }

  private void see(byte[] row) {
    if (!keys.isSeriesRow(row)) {
      return;
    }
    byte[] tsuid = keys.tsuid(row);
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
