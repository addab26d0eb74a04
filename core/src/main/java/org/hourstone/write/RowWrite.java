package org.hourstone.write;

import java.util.function.Consumer;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;

/**
 * What one batch changes in one row. The receipts of what it holds are told once, whatever happens.
 * Not thread-safe.
 */
abstract sealed class RowWrite permits RowBatch, CellBatch {
  private final byte[] key;
  private boolean maybeApplied;
  private boolean told;

  RowWrite(byte[] key) {
    this.key = key;
  }

  final byte[] key() {
    return key;
  }

  abstract RowMutation mutation(WriteOptions options);

  /** How many elements were added. */
  abstract int size();

  /** Passes each element to the consumer, those first that others took the place of. */
  abstract void forEach(Consumer<Work.Pending> action);

  /** An attempt to write the row failed. */
  final void unapplied(Outcome outcome) {
    maybeApplied |= outcome == Outcome.UNKNOWN;
  }

  /** Tells the receipts, unless they were told. */
  final void stored() {
    tellAll(element -> element.receipt().stored(element.token()));
  }

  /**
   * As {@link #stored}, of the failure of the last attempt; an earlier one may have been applied.
   */
  final void failed(Outcome last, StoreException reason) {
    Outcome outcome = maybeApplied ? Outcome.UNKNOWN : last;
    failed(new StoreException(outcome, String.valueOf(reason.getMessage()), reason));
  }

  final void failed(RuntimeException reason) {
    tellAll(element -> element.receipt().failed(element.token(), reason));
  }

  private void tellAll(Consumer<Work.Pending> message) {
    if (!told) {
      told = true;
      forEach(element -> tell(() -> message.accept(element)));
    }
  }

  /**
   * Calls a receipt. What it throws is its owner's, and must not keep the others from being told.
   */
  static void tell(Runnable call) {
    try {
      call.run();
    } catch (RuntimeException | Error e) {
      report(e);
    }
  }

  /** What a receipt has thrown is its owner's business. */
  static void report(Throwable thrown) {
    Thread thread = Thread.currentThread();
    thread.getUncaughtExceptionHandler().uncaughtException(thread, thrown);
  }
}
