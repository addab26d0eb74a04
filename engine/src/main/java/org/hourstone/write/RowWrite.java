package org.hourstone.write;

import org.hourstone.codec.RowPoints;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;

/**
 * The changes of one batch to one row. The receipts of its points are completed once, in every
 * case. Not thread-safe.
 */
abstract sealed class RowWrite permits RowBatch, CellBatch {
  private final RowId id;
  private boolean maybeApplied;

  /** The receipts of the points added. */
  final Receipts receipts = new Receipts();

  RowWrite(RowId id) {
    this.id = id;
  }

  final RowId id() {
    return id;
  }

  /**
   * The mutation to write.
   *
   * @param appends whether points are appended, if the options say so
   * @param scratch working space, whose contents are overwritten
   */
  abstract RowMutation mutation(WriteOptions options, boolean appends, RowPoints scratch);

  /**
   * Whether some of its points, those of the receipts that are completed next, can be written
   * without the others.
   */
  abstract boolean isDivisible(WriteOptions options);

  /** How many elements it has, for the size of batches. */
  abstract int size();

  /** The number of the data table's points that are written next. */
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
