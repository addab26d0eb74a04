package org.hourstone.tool;

import org.hourstone.kv.Family;
import org.hourstone.kv.Row;
import org.hourstone.table.TableListener;

/** Receives the findings and the progress of a run; called by several threads, one at a time. */
public interface FsckListener extends TableListener {
  /** A finding was made, and repaired if possible and permitted. */
  void found(FsckFinding finding);

  /** These cells are about to be removed or replaced. If this method fails, they stay. */
  void removing(Family family, Row cells);
}
