package org.hourstone.tool;

/** Is told how a check of the UID table goes; by the thread that checks. */
public interface UidFsckListener {
  /** Something is wrong. */
  void found(UidFinding finding);

  /**
   * So many rows have been read.
   *
   * @param rows of all tables so far
   */
  void read(long rows);
}
