package org.hourstone.tool;

/** Receives the progress of a run that creates metadata; called by the thread that runs it. */
public interface MetaSyncListener {
  /** A row or a series was skipped; the text is one line. */
  void skipped(String why);

  /**
   * All rows so far are complete.
   *
   * @param rows the number of data rows read
   * @param row the key of the last row, from which an interrupted run may be resumed
   */
  void reached(long rows, byte[] row);
}
