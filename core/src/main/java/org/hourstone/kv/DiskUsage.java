package org.hourstone.kv;

/** Extension: the disk space that a store takes. Thread-safe. */
public interface DiskUsage {
  /**
   * The size of all its files, in bytes, including cells that were replaced or deleted and are not
   * merged yet.
   *
   * @throws StoreException NOT_APPLIED if they can't be listed
   */
  long bytes();
}
