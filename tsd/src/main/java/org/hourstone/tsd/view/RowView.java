package org.hourstone.tsd.view;

import org.hourstone.kv.Row;

/** Shows rows of the data table. */
public interface RowView {
  /**
   * Shows a row.
   *
   * @return the row with the cells that are shown completely
   */
  Row show(Row row);

  /**
   * Ends the output.
   *
   * @return whether everything could be shown
   */
  boolean finish();
}
