package org.hourstone.tool;

import org.hourstone.kv.Family;
import org.hourstone.kv.Row;

/** Receives the progress of a run; called by several threads, one at a time. */
public interface FsckListener {
  /** A finding was made, and repaired if possible and permitted. */
  void found(FsckFinding finding);

  /** These cells are about to be removed or replaced. If this method fails, they stay. */
  void removing(Family family, Row cells);

  /**
   * More rows are complete.
   *
   * @param rows the number of rows so far
   * @param done the number of complete parts of the table
   * @param parts the number of all parts
   * @param resume every row before this key is complete
   */
  void progress(long rows, int done, int parts, byte[] resume);
}
