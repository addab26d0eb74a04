package org.hourstone.tool;

/** Is told how the making up of metadata goes; by the thread that does it. */
public interface MetaSyncListener {
  /** Something can't be done, on one line: a row or a series is passed over. */
  void skipped(String why);

  /**
   * So far everything is done.
   *
   * @param rows of data read
   * @param row the key of the last one, from which a run that is broken off may be gone on with
   */
  void reached(long rows, byte[] row);
}
