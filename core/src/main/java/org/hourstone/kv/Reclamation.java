package org.hourstone.kv;

import org.jspecify.annotations.Nullable;

/**
 * Extension: returns the disk space of cells that were replaced or deleted, for stores that keep
 * them until they merge their files. Thread-safe.
 */
public interface Reclamation {
  /**
   * Merges the files of a range of rows, unless there is little to gain. Query results do not
   * change; rows may be read and written concurrently. Takes as long as rewriting the files
   * concerned; needs free space for a part of them at a time. Ends early if the store is closed.
   *
   * @param start the first row; empty for the first of all
   * @param stop the row after the last; null for no limit
   * @throws StoreException NOT_APPLIED or REJECTED if the store fails, as on a full disk; no cell
   *     is lost
   */
  void reclaim(Family family, byte[] start, byte @Nullable [] stop);
}
