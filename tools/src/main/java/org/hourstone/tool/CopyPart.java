package org.hourstone.tool;

import org.hourstone.kv.Scan;
import org.jspecify.annotations.Nullable;

/**
 * A part of a family that is copied by one thread, and how far it is. Guarded by the {@link
 * CopyParts} it belongs to, but for what is final.
 */
final class CopyPart {
  final CopyFamily family;

  /** Parts of a phase are copied at once, the phases one after the other. */
  final int phase;

  /** Whether an earlier phase has copied these rows, so that they are not counted again. */
  final boolean again;

  /** Which of the scope's selections limits the rows; negative if it is another one. */
  final int selection;

  final byte[] start;
  final byte @Nullable [] stop;

  /** Every row of the part before this key is done. */
  byte[] next;

  boolean begun;
  boolean done;
  CopyCounts counts = CopyCounts.NOTHING;

  /** How many cells were copied since the last checkpoint. */
  long unsaved;

  /** How many of the cells to come may have been copied by a run that was broken off. */
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

  /** The rows that are left. */
  Scan rest() {
    return Scan.range(next, stop);
  }
}
