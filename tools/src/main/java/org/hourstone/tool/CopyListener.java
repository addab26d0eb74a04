package org.hourstone.tool;

/** Receives the progress of a copy; called by one thread at a time. */
public interface CopyListener {
  /** A cell in the target differs from the source's cell and stays different. */
  void differs(String what);

  /** A remark about a cell that is copied verbatim. */
  void note(String what);

  /**
   * The progress.
   *
   * @param done the number of complete parts
   */
  void progress(long rows, long cells, int done, int parts);

  /**
   * A checkpoint from which a copy can be resumed after a crash, see {@link TableCopy#run}. New
   * parts start only after this has returned.
   */
  void checkpoint(String state);
}
