package org.hourstone;

import org.hourstone.error.RequestException;
import org.hourstone.head.Head;
import org.hourstone.head.UnsealedRowsException;
import org.hourstone.kv.StoreException.Outcome;
import org.hourstone.query.Query;
import org.hourstone.query.RequestBudget;
import org.hourstone.query.RowSelection;
import org.hourstone.query.run.QueryEngine;
import org.hourstone.rewrite.PointDeletion;
import org.hourstone.rewrite.SelectedData;
import org.hourstone.write.PointWriter;

/**
 * Deletes the points that queries select. Those accepted before are written first: the points of
 * open rows are not in the data table, and a replay of the journal would bring them back.
 */
final class QueryDeletion {
  private final PointWriter writer;
  private final QueryEngine queries;
  private final PointDeletion deletion;
  private final boolean wholeRows;
  private final Head head;

  /**
   * @param wholeRows whether a row is deleted with what the query does not select, as in OpenTSDB
   */
  QueryDeletion(
      PointWriter writer,
      QueryEngine queries,
      PointDeletion deletion,
      boolean wholeRows,
      Head head) {
    this.writer = writer;
    this.queries = queries;
    this.deletion = deletion;
    this.wholeRows = wholeRows;
    this.head = head;
  }

  /** As {@link Tsdb#delete}. */
  long delete(Query query, RequestBudget budget) {
    if (!wholeRows && !queries.isOfPoints(query)) {
      throw new RequestException(
          "rolled-up values and pre-aggregates can't be deleted: "
              + query.text()
              + " is evaluated from some; select points with rollup_raw");
    }
    RowSelection rows = queries.select(query, budget);
    flush(rows);
    SelectedData selected =
        new SelectedData(
            rows.scans(),
            rows.passes(),
            query.startMillis(),
            query.endMillis(),
            query.source().histograms() != null);
    long deleted = wholeRows ? deletion.deleteRows(selected) : deletion.deletePoints(selected);
    // A row may have been sealed since: until the journal says so, it would bring its points back.
    flush(rows);
    return deleted;
  }

  /** Rows that the store refuses don't matter, unless they are to be deleted. */
  private void flush(RowSelection rows) {
    try {
      writer.flush();
    } catch (UnsealedRowsException e) {
      boolean others =
          e.outcome() == Outcome.REJECTED
              && rows.scans().stream().noneMatch(scan -> head.hasRows(scan, rows.passes()));
      if (!others) {
        throw e;
      }
    }
  }
}
