package org.hourstone.tool;

import org.hourstone.kv.Scan;
import org.jspecify.annotations.Nullable;

/**
 * A part of a family that is copied by one thread, with its progress. Non-final fields are guarded
 * by the {@link CopyParts} it belongs to.
 */
final class CopyPart {
  final CopyFamily family;

  /** Parts of a phase are copied concurrently, the phases one after the other. */
  final int phase;

  /** Whether an earlier phase has copied these rows, so that they are not counted again. */
  final boolean again;

  /** The index of the scope's selection that limits the rows; negative if none of them does. */
  final int selection;

  final byte[] start;
  final byte @Nullable [] stop;

  /** Every row of the part before this key is complete. */
  byte[] next;

  boolean begun;
  boolean done;
  CopyCounts counts = CopyCounts.NOTHING;

  /** The number of cells copied since the last checkpoint. */
  long unsaved;

  /** The number of remaining cells that may have been copied by an interrupted run. */
  long repeated;

  CopyPart(
      CopyFamily family,
      int phase,
      boolean again,
      int selection,
      byte[] start,
      byte @Nullable [] stop) {
    this.family = family;
    this.phase = phase;
    this.again = again;
    this.selection = selection;
    this.start = start;
    this.stop = stop;
    this.next = start;
  }

  /** The remaining rows. */
  Scan rest() {
    return Scan.range(next, stop);
  }
}
