package org.hourstone.table;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.hourstone.internal.LongScan;
import org.hourstone.kv.KeyValueReader;
import org.hourstone.kv.Row;
import org.hourstone.kv.Scan;
import org.jspecify.annotations.Nullable;

/**
 * A run over the rows of tables. Its ranges are passed in their order to its threads; a run with
 * one thread uses the caller's. The first failure ends all threads, and so does an interrupt of the
 * caller.
 *
 * <p>A run with checkpoints saves one when a range begins, if its user wants that; when at least
 * {@link #CELLS_PER_CHECKPOINT} cells of a range were processed since the last one; and when the
 * run has failed. A checkpoint contains exactly the rows that are complete. Thread-safe; each
 * instance is for one run.
 */
public final class TableRun {
  /** The number of ranges into which a table should be divided: enough for many threads. */
  public static final int RANGES = 256;

  /** Approximate: the last batch may exceed it. */
  static final long CELLS_PER_CHECKPOINT = 100_000;

  /** The maximum number of cells that are processed at a time. */
  private static final int BATCH_CELLS = 20_000;

  private static final int ROWS_PER_REPORT = 1000;

  private final KeyValueReader store;
  private final TableCheckpoint start;
  private final List<TableRange> ranges;
  private final Workers workers;
  private final TableListener listener;
  private int rowsPerCursor = LongScan.ROWS;
  private boolean savesBegin;
  private @Nullable Supplier<? extends Record> counts;
  private int handedOut;
  private long rows;
  private byte[] last = {};

  /**
   * @param ranges in the order of their phases
   * @param threads at least 1; there are no more than ranges
   */
  public TableRun(
      KeyValueReader store, List<TableRange> ranges, int threads, TableListener listener) {
    this(store, TableCheckpoint.start(ranges), threads, listener);
  }

  /** A run that begins at a checkpoint. */
  public TableRun(
      KeyValueReader store, TableCheckpoint start, int threads, TableListener listener) {
    this.store = store;
    this.start = start;
    this.ranges = start.ranges();
    this.workers = new Workers(Math.min(threads, Math.max(1, ranges.size())));
    this.listener = listener;
    this.rows = start.rows();
    for (TableRange range : ranges) {
      range.repeated = range.begun ? CELLS_PER_CHECKPOINT + BATCH_CELLS : 0;
    }
  }

  /**
   * Sets the number of rows after which a cursor is reopened, as {@link LongScan} does. If rows are
   * replaced, it should be small.
   */
  public TableRun reopeningEvery(int rowCount) {
    rowsPerCursor = rowCount;
    return this;
  }

  /**
   * Gives the listener checkpoints.
   *
   * @param whenBegun whether a range is processed only after a checkpoint has recorded its begin,
   *     so that {@link #isRepeated} is exact
   * @param ofCompleteRows the counts to save; called between two calls of {@link #did}
   */
  public TableRun savedWith(boolean whenBegun, Supplier<? extends Record> ofCompleteRows) {
    savesBegin = whenBegun;
    counts = ofCompleteRows;
    return this;
  }

  /**
   * Processes each range.
   *
   * @param work called by several threads; returns early if the run {@link #isStopped}
   * @throws org.hourstone.kv.StoreException if the store fails, or with {@code UNKNOWN} if the
   *     calling thread is interrupted
   */
  public void run(Consumer<TableRange> work) {
    try {
      int phases = ranges.stream().mapToInt(TableRange::phase).max().orElse(-1) + 1;
      for (int phase = 0; phase < phases; phase++) {
        int now = phase;
        workers.run(() -> next(now), range -> process(range, work));
      }
    } catch (RuntimeException | Error e) {
      try {
        ended();
      } catch (RuntimeException unsaved) {
        e.addSuppressed(unsaved);
      }
      throw e;
    }
  }

  /** As {@link #run}: passes each row to a consumer, which may change or delete it. */
  public void readAll(Consumer<Row> each) {
    run(range -> read(range, range.rest(), each));
  }

  /** As {@link #read(TableRange, Scan, Consumer, Runnable)}, without counts. */
  public void read(TableRange range, Scan some, Consumer<Row> each) {
    read(range, some, each, () -> {});
  }

  /**
   * Passes the rows of a range to a consumer, which may change or delete them, and records them as
   * complete.
   *
   * @param some a scan of the range's remaining rows or some of them, without a limit
   * @param count adds a row that was passed to the counts that checkpoints have
   */
  public void read(TableRange range, Scan some, Consumer<Row> each, Runnable count) {
    try (LongScan cursor = new LongScan(store, range.family(), some, rowsPerCursor)) {
      for (Row row = cursor.next(); row != null && !isStopped(); row = cursor.next()) {
        listener.nextRow();
        each.accept(row);
        did(range, row.key(), 1, 1, count);
      }
    }
  }

  /** Whether the threads must end soon, even in the middle of a range. */
  public boolean isStopped() {
    return workers.isStopped();
  }

  private void process(TableRange range, Consumer<TableRange> work) {
    work.accept(range);
    if (!isStopped()) {
      finish(range);
    }
  }

  /** Begins and returns the next range of a phase; null if all have begun. */
  private synchronized @Nullable TableRange next(int phase) {
    if (handedOut == ranges.size() || ranges.get(handedOut).phase() > phase) {
      return null;
    }
    TableRange range = ranges.get(handedOut++);
    if (!range.begun) {
      range.begun = true;
      if (savesBegin) {
        save();
      }
    }
    return range;
  }

  /** Whether the next cells of a range may have been processed by an interrupted run. */
  public synchronized boolean isRepeated(TableRange range) {
    return range.repeated > 0;
  }

  /** Records that a batch of a range was interrupted and is processed again. */
  public synchronized void repeat(TableRange range) {
    range.repeated = Math.max(range.repeated, BATCH_CELLS);
  }

  /**
   * Records that all rows of a range up to this one are complete.
   *
   * @param more the number of rows to count
   * @param cells the number of their cells
   * @param count adds to the counts that checkpoints have
   */
  public synchronized void did(
      TableRange range, byte[] key, long more, long cells, Runnable count) {
    range.did(key);
    range.repeated -= cells;
    range.unsaved += cells;
    count.run();
    last = key;
    long reports = rows / ROWS_PER_REPORT;
    rows += more;
    if (range.unsaved >= CELLS_PER_CHECKPOINT) {
      save();
    }
    if (rows / ROWS_PER_REPORT > reports) {
      report();
    }
  }

  private synchronized void finish(TableRange range) {
    range.done = true;
    report();
  }

  private synchronized void ended() {
    save();
    report();
  }

  /** The number of complete rows, with those of the runs that this one continues. */
  public synchronized long rows() {
    return rows;
  }

  private int done() {
    return start.done() + (int) ranges.stream().filter(range -> range.done).count();
  }

  private void report() {
    TableProgress progress = new TableProgress(rows, done(), start.done() + ranges.size(), last);
    synchronized (listener) {
      listener.progress(progress);
    }
  }

  private void save() {
    if (counts == null) {
      return;
    }
    ranges.forEach(range -> range.unsaved = 0);
    List<TableRange> rest = ranges.stream().filter(range -> !range.done).toList();
    String text = new TableCheckpoint(rows, done(), rest, counts.get()).text();
    synchronized (listener) {
      listener.checkpoint(text);
    }
  }
}
