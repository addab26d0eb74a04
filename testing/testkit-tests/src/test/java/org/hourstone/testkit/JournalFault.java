package org.hourstone.testkit;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.hourstone.kv.BatchException;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.jspecify.annotations.Nullable;

/** Faults that can be planted in a {@link JournalStore}: those of durable and of shared stores. */
enum JournalFault {
  NONE,
  /** The last records wait in memory. */
  FORGETFUL,
  LOST_CAS,
  LOST_REPLACE,
  LOST_DELETE,
  LOST_PUTIFNEWER,
  /** The change is stored, and said not to be. */
  COMMIT_FAILURE_NOT_APPLIED,
  /** Some rows of a batch are stored, and all are said not to be. */
  BATCH_NOT_APPLIED,
  /** A row of a batch that was never tried is said to be stored. */
  BATCH_APPLIED,
  /** The outcomes of a batch are reported in the reverse order. */
  BATCH_REVERSED,
  /** Only the rows that failed have an outcome. */
  BATCH_SHORT,
  /** As {@link #BATCH_NOT_APPLIED}, of batches of more rows than a page. */
  LONG_BATCH_NOT_APPLIED,
  READ_FAILURE_UNKNOWN,
  UNKNOWN_PARAMETER_IGNORED,
  MONOTONE_LOST_ON_REOPEN,
  MONOTONE_PER_PROCESS,
  /** Atomic among the threads of one process only. */
  SHARED_INCREMENT_PROCESS_LOCK,
  SHARED_CAS_PROCESS_LOCK,
  SHARED_REPLACE_PROCESS_LOCK,
  SHARED_MIXED_PROCESS_LOCK,
  SHARED_PIN_PROCESS_LOCK,
  MISSING_FAMILY_CACHED,
  /** A row that was read once is not read again. */
  STALE_CACHE_OTHER_PROCESS;

  /**
   * The failure that a batch is reported with; without a fault the truth.
   *
   * @param failure of the row at place i; those before it are stored, those after it are not
   */
  StoreException reported(StoreException failure, int i, int size) {
    if (size == 1) {
      return failure;
    }
    List<@Nullable Outcome> outcomes = new ArrayList<>(Collections.nCopies(i, null));
    outcomes.add(failure.outcome());
    outcomes.addAll(Collections.nCopies(size - i - 1, Outcome.NOT_APPLIED));
    switch (this) {
      case LONG_BATCH_NOT_APPLIED -> {
        if (size > 500) {
          return new StoreException(Outcome.NOT_APPLIED, "journal", failure);
        }
      }
      case BATCH_NOT_APPLIED -> {
        return new StoreException(Outcome.NOT_APPLIED, "journal", failure);
      }
      case BATCH_APPLIED -> outcomes.subList(i + 1, size).replaceAll(truth -> null);
      case BATCH_REVERSED -> Collections.reverse(outcomes);
      case BATCH_SHORT -> outcomes.subList(0, i).clear();
      default -> {}
    }
    return new BatchException(String.valueOf(failure.getMessage()), outcomes, failure);
  }
}
