package org.hourstone.rewrite;

/**
 * What compaction has made of a row.
 *
 * @param kind what it was
 * @param cellsBefore cells with points the row had; 0 if that was not looked at
 * @param cellsAfter cells with points the row has now, unless others wrote to it meanwhile
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
