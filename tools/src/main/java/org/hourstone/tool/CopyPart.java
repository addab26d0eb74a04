package org.hourstone.tool;

import org.hourstone.kv.Scan;

/** A part of a family that is copied by one thread, with its progress and counts. */
final class CopyPart extends TablePart {
  final CopyFamily family;

  /** The parts of a phase are copied concurrently; the phases are executed one after the other. */
  final int phase;

  /** Whether an earlier phase has copied these rows, so that they are not counted again. */
  final boolean again;

  /** The index of the scope's selection that limits the rows; negative if there is none. */
  final int selection;

  boolean begun;
  CopyCounts counts = CopyCounts.NOTHING;

  /** The number of cells copied since the last checkpoint. */
  long unsaved;

  /** The number of remaining cells that may have been copied by an interrupted run. */
  long repeated;

  CopyPart(CopyFamily family, int phase, boolean again, int selection, Scan scan) {
    super(scan);
    this.family = family;
    this.phase = phase;
    this.again = again;
    this.selection = selection;
  }
}
