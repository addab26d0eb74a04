package org.hourstone.tool;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.hourstone.Engine;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.Scan;
import org.hourstone.query.Query;
import org.hourstone.query.RowSelection;

/**
 * The rows that queries read, in their stored form; a row that several queries read occurs once. A
 * cell is deleted only after it was shown, and only if it has not changed since it was read. For
 * one thread.
 */
public final class RowScan {
  private static final int ROWS_AT_A_TIME = 256;

  private final Engine engine;
  private final List<Query> queries;

  RowScan(Engine engine, List<Query> queries) {
    this.engine = engine;
    this.queries = queries;
  }

  /** Calls back with each row. */
  public void forEach(Consumer<Row> action) {
    scan(
        row -> {
          action.accept(row);
          return row;
        },
        rows -> {});
  }

  /**
   * Deletes cells from the rows.
   *
   * @param show called with each row; returns the row with the cells to delete
   * @param written called before shown rows are deleted; it must ensure that their output is
   *     written
   */
  public void deleteEach(UnaryOperator<Row> show, Runnable written) {
    scan(
        show,
        rows -> {
          written.run();
          for (Row row : rows) {
            if (!row.isEmpty()) {
              engine.store().replaceCells(engine.tables().points(), row, List.of());
            }
          }
        });
  }

  private void scan(UnaryOperator<Row> show, Consumer<List<Row>> finished) {
    Set<Bytes> seen = new HashSet<>();
    for (Query query : queries) {
      RowSelection selection = engine.queries().select(query);
      Predicate<Row> isNew =
          queries.size() == 1 ? row -> true : row -> seen.add(new Bytes(row.key()));
      for (Scan scan : selection.scans()) {
        scan(scan, row -> selection.passes().test(row.key()) && isNew.test(row), show, finished);
      }
    }
  }

  private void scan(
      Scan scan, Predicate<Row> isWanted, UnaryOperator<Row> show, Consumer<List<Row>> finished) {
    try (RowCursor rows = engine.sealedStore().scan(engine.tables().points(), scan)) {
      List<Row> shown = new ArrayList<>();
      for (Row row = rows.next(); row != null; row = rows.next()) {
        if (isWanted.test(row)) {
          shown.add(show.apply(row));
        }
        if (shown.size() == ROWS_AT_A_TIME) {
          finished.accept(shown);
          shown.clear();
        }
      }
      finished.accept(shown);
    }
  }
}
