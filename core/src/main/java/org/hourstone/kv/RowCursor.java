package org.hourstone.kv;

import org.jspecify.annotations.Nullable;

/**
 * The rows of a scan, ascending by unsigned key. Forward only, for one thread at a time. A row is
 * never split over two calls, and a row without a selected cell is not delivered.
 *
 * <p>Closing is required and may be repeated. Closing the store closes its cursors: a later {@link
 * #next} then throws {@link IllegalStateException} instead of ending the scan.
 */
public interface RowCursor extends AutoCloseable {
  /** The next row, or null after the last one. */
  @Nullable Row next();

  @Override
  void close();
}
