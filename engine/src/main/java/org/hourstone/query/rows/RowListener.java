package org.hourstone.query.rows;

import org.hourstone.kv.Row;

/** Is notified of the rows a query reads: OpenTSDB rewrites rows when it reads them. */
@FunctionalInterface
public interface RowListener {
  /** A row was read and decoded, with all of its cells. */
  void read(Row row);
}
