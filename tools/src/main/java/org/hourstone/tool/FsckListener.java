package org.hourstone.tool;

import org.hourstone.kv.Family;
import org.hourstone.kv.Row;

/** Is told how a run goes, by several threads, one at a time. */
public interface FsckListener {
  /** Something was found, and mended if that is possible and permitted. */
  void found(FsckFinding finding);

  /** These cells are about to be removed or replaced. If this fails they stay. */
  void removing(Family family, Row cells);

  /**
   * More rows are done.
   *
   * @param rows how many so far
   * @param done parts of the table that are done
   * @param parts all of them
   * @param resume every row before this key is done
   */
  void progress(long rows, int done, int parts, byte[] resume);
}
