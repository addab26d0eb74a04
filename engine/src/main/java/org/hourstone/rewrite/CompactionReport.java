package org.hourstone.rewrite;

/**
 * The result of a {@link TableCompactor}.
 *
 * @param rows the number of rows checked
 * @param rewritten the number of rows rewritten
 * @param cellsBefore the number of cells with points that the rewritten rows had
 * @param cellsAfter the number of cells with points that they have now
 * @param early the number of rows not compacted yet: their hour is not over, they were written
 *     recently, or after points that are only in a writer's journal
 * @param skipped the number of rows not compacted because they are corrupt, have conflicting
 *     points, or the store refused
 */
public record CompactionReport(
    long rows, long rewritten, long cellsBefore, long cellsAfter, long early, long skipped) {
  static final CompactionReport NOTHING = new CompactionReport(0, 0, 0, 0, 0, 0);

  CompactionReport with(CompactionOutcome outcome) {
    boolean done = outcome.kind() == CompactionOutcome.Kind.REWRITTEN;
    boolean tooEarly = outcome.kind() == CompactionOutcome.Kind.TOO_EARLY;
    return new CompactionReport(
        rows + 1,
        rewritten + (done ? 1 : 0),
        cellsBefore + (done ? outcome.cellsBefore() : 0),
        cellsAfter + (done ? outcome.cellsAfter() : 0),
        early + (tooEarly ? 1 : 0),
        skipped);
  }

  CompactionReport withSkipped() {
    return new CompactionReport(rows + 1, rewritten, cellsBefore, cellsAfter, early, skipped + 1);
  }
}
