package org.hourstone.head;

import org.hourstone.kv.StoreException;

/** Rows of the head could not be written to the data table: they stay in it and in its journal. */
public final class UnsealedRowsException extends StoreException {
  private static final long serialVersionUID = 1L;

  /**
   * @param rows how many
   */
  UnsealedRowsException(long rows, StoreException cause) {
    super(
        cause.outcome(),
        rows
            + " rows stay in the head and its journal, since they can't be written: "
            + cause.getMessage(),
        cause);
  }
}
