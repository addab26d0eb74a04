package org.hourstone.testkit;

/** Faults that can be planted in a {@link JournalStore}: those of durable and of shared stores. */
enum JournalFault {
  NONE,
  /** The last records wait in memory. */
  FORGETFUL,
  LOST_CAS,
  LOST_REPLACE,
  LOST_DELETE,
  /** The change is stored, and said not to be. */
  COMMIT_FAILURE_NOT_APPLIED,
  MONOTONE_LOST_ON_REOPEN,
  MONOTONE_PER_PROCESS,
  /** Atomic among the threads of one process only. */
  SHARED_INCREMENT_PROCESS_LOCK,
  SHARED_CAS_PROCESS_LOCK,
  /** A row that was read once is not read again. */
  STALE_CACHE_OTHER_PROCESS
}
