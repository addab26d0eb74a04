package org.hourstone.tool;

/** Receives the progress of a check of the UID table; called by one thread at a time. */
public interface UidFsckListener {
  /** An error was found. */
  void found(UidFinding finding);

  /**
   * Rows have been read.
   *
   * @param rows the number of rows of all tables so far
   */
  void read(long rows);
}
