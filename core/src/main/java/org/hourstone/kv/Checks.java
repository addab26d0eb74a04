package org.hourstone.kv;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The argument rules of the SPI, for stores to call before any effect. */
public final class Checks {
  private Checks() {}

  /** A row key must not be empty. */
  public static void row(byte[] row) {
    if (row.length == 0) {
      throw new IllegalArgumentException("empty row key");
    }
  }

  /** At most one element per row, and within an element at most one change per qualifier. */
  public static void batch(List<RowMutation> batch) {
    if (batch.size() > 1) {
      Set<Bytes> rows = new HashSet<>(batch.size() * 2);
      for (RowMutation mutation : batch) {
        if (!rows.add(new Bytes(mutation.row()))) {
          throw new IllegalArgumentException("two elements of one batch change the same row");
        }
      }
    }
    for (RowMutation mutation : batch) {
      changes(mutation.changes());
    }
  }

  /** Values used with compare-and-set are not empty: some stores can't tell empty from absent. */
  public static void compareAndSet(
      byte[] row, byte @Nullable [] expected, byte @Nullable [] update) {
    row(row);
    if ((expected != null && expected.length == 0) || (update != null && update.length == 0)) {
      throw new IllegalArgumentException("an empty value in compare-and-set");
    }
  }

  /** The replacement's qualifiers are all different. */
  public static void replaceCells(Row observed, List<Cell> replacement) {
    row(observed.key());
    Set<Bytes> qualifiers = new HashSet<>(replacement.size() * 2);
    for (Cell cell : replacement) {
      if (!qualifiers.add(new Bytes(cell.qualifier()))) {
        throw new IllegalArgumentException("two replacement cells have one qualifier");
      }
    }
  }

  private static void changes(List<Change> changes) {
    if (changes.size() == 1) {
      return;
    }
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
        throw new IllegalArgumentException("two changes of one row have one qualifier");
      }
    }
  }
}
