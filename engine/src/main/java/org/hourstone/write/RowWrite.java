package org.hourstone.write;

import org.hourstone.codec.RowPoints;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;

/**
 * What one batch changes in one row. The receipts of what it took in are told once, whatever
 * happens. Not thread-safe.
 */
abstract sealed class RowWrite permits RowBatch, CellBatch {
  private final RowId id;
  private boolean maybeApplied;

  /** Those of what was taken in. */
  final Receipts receipts = new Receipts();

  RowWrite(RowId id) {
    this.id = id;
  }

  final RowId id() {
    return id;
  }

  /**
   * What it changes.
   *
   * @param scratch room to work in, whose contents are lost
   */
  abstract RowMutation mutation(WriteOptions options, RowPoints scratch);

  /** How many elements it has, for the size of batches. */
  abstract int size();

  /** How many points of the data table were taken in. */
  abstract int points();

  /** An attempt to write the row failed. */
  final void unapplied(Outcome outcome) {
    maybeApplied |= outcome == Outcome.UNKNOWN;
  }

  /**
   * The last attempt has failed; an earlier one may have been applied.
   *
   * @return why it is not stored, for its receipts
   */
  final StoreException failure(Outcome last, StoreException reason) {
    Outcome outcome = maybeApplied ? Outcome.UNKNOWN : last;
    return new StoreException(outcome, String.valueOf(reason.getMessage()), reason);
  }
}
