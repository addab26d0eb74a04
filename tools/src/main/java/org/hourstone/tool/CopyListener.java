package org.hourstone.tool;

import org.hourstone.table.TableListener;

/**
 * Receives the progress of a copy; called by one thread at a time. New ranges are copied only after
 * a checkpoint that records their begin was saved.
 */
public interface CopyListener extends TableListener {
  /** A cell in the target differs from the source's cell and stays different. */
  void differs(String what);

  /** A remark about a cell that is copied verbatim. */
  void note(String what);
}
