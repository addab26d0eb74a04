package org.hourstone.tsd;

import org.hourstone.kv.Row;

/** Shows rows of the data table. */
interface RowView {
  /**
   * Shows a row.
   *
   * @return the row with those of its cells that are shown whole
   */
  Row show(Row row);

  /**
   * Ends the answer.
   *
   * @return whether all could be shown
   */
  boolean finish();
}
