package org.hourstone.rewrite;

/**
 * The result of compacting a row.
 *
 * @param kind the action taken
 * @param cellsBefore the number of cells with points the row had; 0 if they were not counted
 * @param cellsAfter the number of cells with points the row has now, without concurrent writes
 * @param unsealed the time up to which journals must be sealed before the row can be compacted;
 *     {@link #SEALED} if it is not left for that
 */
public record CompactionOutcome(Kind kind, int cellsBefore, int cellsAfter, long unsealed) {
  /** No journal keeps the row from being compacted. */
  public static final long SEALED = Long.MIN_VALUE;

  /** The action taken. */
  public enum Kind {
    /**
     * The row's hour is not over, or it was written recently, or after points that are only in a
     * writer's journal: try again later.
     */
    TOO_EARLY,
    /** Nothing had to be done, or nothing was permitted. */
    UNCHANGED,
    REWRITTEN
  }

  static final CompactionOutcome TOO_EARLY = new CompactionOutcome(Kind.TOO_EARLY, 0, 0, SEALED);

  static CompactionOutcome unsealed(long until) {
    return new CompactionOutcome(Kind.TOO_EARLY, 0, 0, until);
  }

  static CompactionOutcome unchanged(int cells) {
    return new CompactionOutcome(Kind.UNCHANGED, cells, cells, SEALED);
  }

  static CompactionOutcome rewritten(int before, int after) {
    return new CompactionOutcome(Kind.REWRITTEN, before, after, SEALED);
  }
}
