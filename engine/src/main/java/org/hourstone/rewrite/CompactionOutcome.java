package org.hourstone.rewrite;

/**
 * The result of compacting a row.
 *
 * @param kind what was done
 * @param cellsBefore cells with points the row had; 0 if they were not counted
 * @param cellsAfter cells with points the row has now, not counting concurrent writes
 */
public record CompactionOutcome(Kind kind, int cellsBefore, int cellsAfter) {
  /** What was done. */
  public enum Kind {
    /** The row's hour is not over, or it was written to a moment ago: try again later. */
    TOO_EARLY,
    /** There was nothing to do, or nothing that may be done. */
    UNCHANGED,
    REWRITTEN
  }

  static final CompactionOutcome TOO_EARLY = new CompactionOutcome(Kind.TOO_EARLY, 0, 0);

  static CompactionOutcome unchanged(int cells) {
    return new CompactionOutcome(Kind.UNCHANGED, cells, cells);
  }

  static CompactionOutcome rewritten(int before, int after) {
    return new CompactionOutcome(Kind.REWRITTEN, before, after);
  }
}
