package org.hourstone.tool;

import org.hourstone.kv.Family;
import org.hourstone.kv.Row;

/** Receives the progress of a run; called by several threads, one at a time unless noted. */
public interface FsckListener {
  /**
   * The next row is about to be checked. Called by several threads at the same time; an exception
   * ends the run before that row.
   */
  default void nextRow() {}

  /** A finding was made, and repaired if possible and permitted. */
  void found(FsckFinding finding);

  /** These cells are about to be removed or replaced. If this method fails, they stay. */
  void removing(Family family, Row cells);

  /**
   * More rows are complete.
   *
   * @param rows the number of rows so far, with those of the run that is continued
   * @param done the number of complete parts of the table
   * @param parts the number of all parts
   * @param checkpoint to continue from here
   */
  void progress(long rows, int done, int parts, FsckCheckpoint checkpoint);
}
