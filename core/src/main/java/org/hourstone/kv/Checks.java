package org.hourstone.kv;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The argument rules of the SPI and its {@link Limits}, for stores to call before any change. */
public final class Checks {
  private Checks() {}

  /** A row key must not be empty, nor longer than {@link Limits#ROW_KEY}. */
  public static void row(byte[] row) {
    if (row.length == 0) {
      throw new IllegalArgumentException("empty row key");
    }
    limit("bytes of a row key", row.length, Limits.ROW_KEY);
  }

  /** The keys of a read of several rows: each as {@link #row}, and not too many. */
  public static void rows(List<byte[]> rows) {
    limit("rows of one read", rows.size(), Limits.ROWS_PER_BATCH);
    rows.forEach(Checks::row);
  }

  /** The arguments of an increment. */
  public static void increment(byte[] row, byte[] qualifier) {
    row(row);
    cell(row, qualifier, Long.BYTES);
  }

  /** At most one element per row, and within an element at most one change per qualifier. */
  public static void batch(List<RowMutation> batch) {
    limit("rows of a batch", batch.size(), Limits.ROWS_PER_BATCH);
    if (batch.size() > 1) {
      Set<Bytes> rows = new HashSet<>(batch.size() * 2);
      for (RowMutation mutation : batch) {
        if (!rows.add(new Bytes(mutation.row()))) {
          throw new IllegalArgumentException("two elements of one batch change the same row");
        }
      }
    }
    for (RowMutation mutation : batch) {
      row(mutation.row());
      changes(mutation.changes());
      mutation.changes().forEach(change -> cell(mutation.row(), change.qualifier(), added(change)));
    }
  }

  private static int added(Change change) {
    if (change instanceof Change.Put put) {
      return put.value().length;
    }
    if (change instanceof Change.PutIfNewer put) {
      return put.value().length;
    }
    return change instanceof Change.Append append ? append.suffix().length : 0;
  }

  /** Values used with compare-and-set are not empty: some stores can't tell empty from absent. */
  public static void compareAndSet(
      byte[] row, byte[] qualifier, byte @Nullable [] expected, byte @Nullable [] update) {
    row(row);
    cell(row, qualifier, update == null ? 0 : update.length);
    if ((expected != null && expected.length == 0) || (update != null && update.length == 0)) {
      throw new IllegalArgumentException("an empty value in compare-and-set");
    }
  }

  /** There is a value for each row, and the rows are all different. */
  public static void createCells(List<byte[]> rows, byte[] qualifier, List<byte[]> values) {
    limit("rows", rows.size(), Limits.ROWS_PER_BATCH);
    Set<Bytes> different = new HashSet<>(rows.size() * 2);
    for (int i = 0; i < rows.size(); i++) {
      compareAndSet(rows.get(i), qualifier, null, values.get(i));
      if (!different.add(new Bytes(rows.get(i)))) {
        throw new IllegalArgumentException("a row twice among those of created cells");
      }
    }
  }

  /** The replacement's qualifiers are all different. */
  public static void replaceCells(Row observed, List<Cell> replacement) {
    row(observed.key());
    limit("cells of a replacement", replacement.size(), Limits.CELLS_PER_ROW);
    limit("observed cells", observed.size(), Limits.CELLS_PER_ROW);
    Set<Bytes> qualifiers = new HashSet<>(replacement.size() * 2);
    for (Cell cell : replacement) {
      cell(observed.key(), cell.qualifier(), cell.value().length);
      if (!qualifiers.add(new Bytes(cell.qualifier()))) {
        throw new IllegalArgumentException("two replacement cells have the same qualifier");
      }
    }
  }

  private static void cell(byte[] row, byte[] qualifier, int value) {
    limit("bytes of a qualifier", qualifier.length, Limits.QUALIFIER);
    limit("bytes of a value", value, Limits.VALUE);
    limit(
        "bytes of row key, qualifier and value",
        row.length + qualifier.length + value,
        Limits.CELL);
  }

  private static void limit(String what, int given, int allowed) {
    if (given > allowed) {
      throw new IllegalArgumentException(given + " " + what + ": more than " + allowed);
    }
  }

  private static void changes(List<Change> changes) {
    if (changes.size() == 1) {
      return;
    }
    limit("changes of one row", changes.size(), Limits.CELLS_PER_ROW);
    boolean ascending = true;
    byte[] last = null;
    for (Change change : changes) {
      if (change instanceof Change.DeleteRow) {
        throw new IllegalArgumentException("a row deletion must be the only change of its row");
      }
      byte[] qualifier = change.qualifier();
      ascending &= last == null || Arrays.compareUnsigned(last, qualifier) < 0;
      last = qualifier;
    }
    if (!ascending) {
      differ(changes);
    }
  }

  private static void differ(List<Change> changes) {
    Set<Bytes> qualifiers = new HashSet<>(changes.size() * 2);
    for (Change change : changes) {
      if (!qualifiers.add(new Bytes(change.qualifier()))) {
        throw new IllegalArgumentException("two changes of one row have the same qualifier");
      }
    }
  }
}
