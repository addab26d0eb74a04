package org.hourstone.testkit.store;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.jspecify.annotations.Nullable;

/**
 * Counts the requests to a store and its results per family, so that "this query reads at most
 * <i>n</i> rows" is a test. Calls that fail count as calls. Thread-safe.
 */
public final class RecordingStore extends ForwardingStore {
  private record Counter(Family family, Counted what) {}

  private final Map<Counter, Long> counts = new ConcurrentHashMap<>();

  public RecordingStore(KeyValueStore delegate) {
    super(delegate);
  }

  /** The counters. */
  public enum Counted {
    /** Calls of get, for one row or several. */
    GETS,
    /** Cursors opened. */
    SCANS,
    /** Returned rows with at least one cell, from gets and cursors. */
    ROWS_READ,
    /** The cells of those rows. */
    CELLS_READ,
    /** Calls of mutate. */
    BATCHES,
    /** Elements of those batches. */
    ROWS_WRITTEN,
    /** Changes of those elements. */
    CHANGES,
    /** Calls of increment. */
    INCREMENTS,
    /** Calls of compareAndSet. */
    COMPARE_AND_SETS,
    /** Calls of replaceCells. */
    REPLACEMENTS
  }

  /** The count for a family, since the store was opened or {@link #reset}. */
  public long count(Counted what, Family family) {
    return counts.getOrDefault(new Counter(family, what), 0L);
  }

  /** The count for all families together. */
  public long total(Counted what) {
    return counts.entrySet().stream()
        .filter(counter -> counter.getKey().what() == what)
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  /** Begins again at 0. */
  public void reset() {
    counts.clear();
  }

  private void add(Family family, Counted what, long more) {
    counts.merge(new Counter(family, what), more, Long::sum);
  }

  @Override
  public Row get(Family family, byte[] row, Columns columns) {
    return recordGet(family, row, columns);
  }

  @Override
  public List<Row> get(Family family, List<byte[]> rows, Columns columns) {
    return recordGet(family, rows, columns);
  }

  @Override
  public RowCursor scan(Family family, Scan scan) {
    return recordScan(family, scan);
  }

  private Row recordGet(Family family, byte[] row, Columns columns) {
    add(family, Counted.GETS, 1);
    Row found = super.get(family, row, columns);
    recordRow(family, found);
    return found;
  }

  private List<Row> recordGet(Family family, List<byte[]> rows, Columns columns) {
    add(family, Counted.GETS, 1);
    List<Row> found = super.get(family, rows, columns);
    found.forEach(row -> recordRow(family, row));
    return found;
  }

  private RowCursor recordScan(Family family, Scan scan) {
    add(family, Counted.SCANS, 1);
    RowCursor cursor = super.scan(family, scan);
    return new RowCursor() {
      @Override
      public @Nullable Row next() {
        Row row = cursor.next();
        if (row != null) {
          recordRow(family, row);
        }
        return row;
      }

      @Override
      public void close() {
        cursor.close();
      }
    };
  }

  private void recordRow(Family family, Row row) {
    if (!row.isEmpty()) {
      add(family, Counted.ROWS_READ, 1);
      add(family, Counted.CELLS_READ, row.size());
    }
  }

  @Override
  public void mutate(Family family, List<RowMutation> batch) {
    recordBatch(family, batch);
    super.mutate(family, batch);
  }

  private void recordBatch(Family family, List<RowMutation> batch) {
    long changes = batch.stream().mapToLong(mutation -> mutation.changes().size()).sum();
    add(family, Counted.BATCHES, 1);
    add(family, Counted.ROWS_WRITTEN, batch.size());
    add(family, Counted.CHANGES, changes);
  }

  @Override
  public long increment(Family family, byte[] row, byte[] qualifier, long delta) {
    add(family, Counted.INCREMENTS, 1);
    return super.increment(family, row, qualifier, delta);
  }

  @Override
  public boolean compareAndSet(
      Family family,
      byte[] row,
      byte[] qualifier,
      byte @Nullable [] expected,
      byte @Nullable [] update) {
    add(family, Counted.COMPARE_AND_SETS, 1);
    return super.compareAndSet(family, row, qualifier, expected, update);
  }

  @Override
  public boolean replaceCells(Family family, Row observed, List<Cell> replacement) {
    add(family, Counted.REPLACEMENTS, 1);
    return super.replaceCells(family, observed, replacement);
  }
}
