package org.hourstone.kv;

/**
 * Facts about one open store, constant for its life. A trait is a promise the contract tests check;
 * without it the engine assumes the weaker behaviour, and the tests check that nothing more is
 * claimed than is there.
 */
public enum Trait {
  /** An acknowledged change survives the death of the process (not: of the machine). */
  DURABLE,
  /** Other processes may read and write the same data at the same time. */
  SHARED,
  /** The elements of one {@code mutate} call are applied together or not at all. */
  ATOMIC_BATCH,
  /** A put issued after the deletion of the same cell has returned is always visible. */
  ORDERED_DELETES,
  /**
   * Two changes of one row that were acknowledged one after the other never get the same
   * store-assigned write time, and the later one gets the larger.
   */
  MONOTONIC_WRITE_TIMES,
  /** Row filters are evaluated where the data is: rows that don't match are not shipped. */
  FILTER_PUSHDOWN,
  /** A scan sees all rows as of one moment. */
  ROW_SNAPSHOT_SCAN
}
