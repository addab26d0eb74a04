package org.hourstone.tsd.command;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueReader;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.Scan;
import org.jspecify.annotations.Nullable;

/**
 * Iterates over all rows of a table, ascending; a row in several families appears once for each, in
 * the order of the families. For one thread.
 */
final class TableScan implements AutoCloseable {
  private final List<Branch> branches = new ArrayList<>();

  /** The remaining rows of one family. */
  private static final class Branch {
    private final Family family;
    private final RowCursor rows;
    private @Nullable Row next;

    Branch(Family family, RowCursor rows) {
      this.family = family;
      this.rows = rows;
    }
  }

  /**
   * @param families of one table, ordered
   */
  TableScan(KeyValueReader store, List<Family> families) {
    try {
      for (Family family : families) {
        branches.add(new Branch(family, store.scan(family, Scan.all())));
      }
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  void forEach(BiConsumer<Family, Row> action) {
    for (Branch branch : branches) {
      branch.next = branch.rows.next();
    }
    for (Branch least = least(); least != null; least = least()) {
      Row row = least.next;
      if (row != null) {
        action.accept(least.family, row);
      }
      least.next = least.rows.next();
    }
  }

  /** The branch with the smallest row; the first one if there are several. */
  private @Nullable Branch least() {
    Branch least = null;
    Row leastRow = null;
    for (Branch branch : branches) {
      Row row = branch.next;
      if (row != null
          && (leastRow == null || Arrays.compareUnsigned(row.key(), leastRow.key()) < 0)) {
        least = branch;
        leastRow = row;
      }
    }
    return least;
  }

  @Override
  public void close() {
    for (Branch branch : branches) {
      branch.rows.close();
    }
  }
}
