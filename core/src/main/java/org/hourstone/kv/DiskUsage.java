package org.hourstone.kv;

/** Extension: the disk space that a store takes. Thread-safe. */
public interface DiskUsage {
  /**
   * The sizes of all its files, in bytes: also of those whose cells were replaced or deleted and
   * not merged yet.
   *
   * @throws StoreException NOT_APPLIED if they can't be listed
   */
  long bytes();
}
