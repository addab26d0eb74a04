package org.hourstone.kv;

/** Extension: the disk space that a store takes, and what is left. Thread-safe. */
public interface DiskUsage {
  /**
   * A file system.
   *
   * @param free how many bytes this process can still write
   * @param total how many bytes it has
   */
  record Space(long free, long total) {}

  /**
   * The size of all its files, in bytes, including cells that were replaced or deleted and are not
   * merged yet.
   *
   * @throws StoreException NOT_APPLIED if they can't be listed
   */
  long bytes();

  /**
   * The file system of its files, as it is now. Waits for the file system at most, never for calls
   * of the store; also if the store is closed.
   *
   * @throws StoreException NOT_APPLIED if it is not known
   */
  Space space();
}
