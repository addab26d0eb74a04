package org.hourstone.kv;

/**
 * Facts about one open store, constant for its life. A trait is a promise the contract tests check;
 * without it the engine assumes the weaker behaviour.
 */
public enum Trait {
  /** An acknowledged change survives the death of the process (not: of the machine). */
  DURABLE,
  /**
   * Other processes may read and write the same data at the same time, and all of the store's
   * guarantees hold across them. The engine then re-reads names periodically, and does not delay
   * points to write several of a row together.
   */
  SHARED,
  /**
   * The write time a store assigns to a change is later than every write time, assigned or given,
   * that was acknowledged for the row before: in any process, even after the store was reopened
   * with a clock that was set back. Changes of a row become visible in the order of their assigned
   * times: after a cell has been read, none that was assigned an earlier time appears. A compacted
   * cell is dated by the newest cell it replaces; without the second guarantee it could hide a
   * point that was dated before that cell and applied after the row was read.
   *
   * <p>Without this trait two changes within a millisecond may get the same time, and the engine
   * waits for a while after the last write to a row before it rewrites the row.
   */
  MONOTONIC_WRITE_TIMES,
  /**
   * Tables are created by the store's operator. The engine verifies that they exist; it creates
   * tables only if it is configured to.
   */
  MANAGED_TABLES
}
