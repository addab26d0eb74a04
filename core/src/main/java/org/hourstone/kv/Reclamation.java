package org.hourstone.kv;

import org.jspecify.annotations.Nullable;

/**
 * Extension: returns the disk space of cells that were replaced or deleted, for stores that keep
 * them until they merge their files. Thread-safe.
 */
public interface Reclamation {
  /**
   * Merges what is stored of a range of rows, unless there is little to gain. What is read of them
   * does not change, and they may be read and written at the same time. Takes as long as rewriting
   * the files concerned; needs free space for a part of them at a time. Ends early if the store is
   * closed.
   *
   * @param start the first row; empty for the first of all
   * @param stop the row after the last; null for no limit
   * @throws StoreException NOT_APPLIED or REJECTED if the store fails, as on a full disk; no cell
   *     is lost
   */
  void reclaim(Family family, byte[] start, byte @Nullable [] stop);
}
