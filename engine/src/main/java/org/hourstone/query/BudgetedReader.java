package org.hourstone.query;

import java.util.List;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueReader;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.Scan;
import org.jspecify.annotations.Nullable;

/** The reads of a store for a request: counted in its budget, which may end them. Thread-safe. */
final class BudgetedReader implements KeyValueReader {
  private final KeyValueReader store;
  private final RequestBudget budget;

  BudgetedReader(KeyValueReader store, RequestBudget budget) {
    this.store = store;
    this.budget = budget;
  }

  @Override
  public Row get(Family family, byte[] row, Columns columns) {
    budget.check();
    Row found = store.get(family, row, columns);
    budget.read(found);
    return found;
  }

  @Override
  public List<Row> get(Family family, List<byte[]> rows, Columns columns) {
    budget.check();
    List<Row> found = store.get(family, rows, columns);
    found.forEach(budget::read);
    return found;
  }

  @Override
  public RowCursor scan(Family family, Scan scan) {
    budget.check();
    RowCursor rows = store.scan(family, scan.check(budget::check));
    return new RowCursor() {
      @Override
      public @Nullable Row next() {
        budget.check();
        Row row = rows.next();
        if (row != null) {
          budget.read(row);
        }
        return row;
      }

      @Override
      public void close() {
        rows.close();
      }
    };
  }
}
