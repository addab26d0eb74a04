package org.hourstone.tool;

/** Is told how a copy goes; called by one thread at a time. */
public interface CopyListener {
  /** A cell is not in the target what it is in the source, and stays so. */
  void differs(String what);

  /** Something worth knowing, which is copied as it is. */
  void note(String what);

  /**
   * How far it is.
   *
   * @param done how many parts are complete
   */
  void progress(long rows, long cells, int done, int parts);

  /**
   * What is complete up to here, to go on from after a crash: see {@link TableCopy#run}. Parts are
   * begun only when this has returned.
   */
  void checkpoint(String state);
}
