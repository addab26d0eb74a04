package org.hourstone.tool;

import org.hourstone.table.TableListener;

/** Receives the findings and the progress of a check of the UID table. */
public interface UidFsckListener extends TableListener {
  /** An error was found. */
  void found(UidFinding finding);
}
