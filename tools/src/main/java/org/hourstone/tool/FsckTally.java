package org.hourstone.tool;

import java.util.EnumMap;
import java.util.Map;
import org.hourstone.rewrite.RowPart;

/**
 * Counts for a {@link FsckReport}. Repairs count at once: what was repaired is not found again. The
 * rest counts once its row is complete, since a run that continues an interrupted one checks the
 * other rows again. Thread-safe; each thread has a row.
 */
final class FsckTally {
  /** What does not count yet. */
  private static final class Pending {
    private long rows;
    private long cells;
    private long points;
    private long annotations;
    private long histograms;
    private final Map<FsckKind, Long> found = new EnumMap<>(FsckKind.class);
  }

  private final ThreadLocal<Pending> pending = ThreadLocal.withInitial(Pending::new);
  private FsckReport total;

  /**
   * @param before the counts of the run that is continued
   */
  FsckTally(FsckReport before) {
    total = before;
  }

  /** The thread checks a row. */
  void row(int cells) {
    Pending row = pending.get();
    row.rows++;
    row.cells += cells;
  }

  void count(RowPart part) {
    Pending row = pending.get();
    row.points += part.cell.points().size();
    switch (part.cell.kind()) {
      case ANNOTATION -> row.annotations++;
      case HISTOGRAM -> row.histograms++;
      default -> {}
    }
  }

  void count(FsckFinding finding) {
    if (finding.state() == FsckFinding.State.FIXED) {
      Map<FsckKind, Long> fixed = Map.of(finding.kind(), 1L);
      add(new FsckReport(0, 0, 0, 0, 0, 0, fixed, fixed));
    } else {
      pending.get().found.merge(finding.kind(), 1L, Long::sum);
    }
  }

  void compacted() {
    add(new FsckReport(0, 0, 0, 0, 0, 1, Map.of(), Map.of()));
  }

  /** The thread's row is complete. */
  void complete() {
    Pending row = pending.get();
    add(
        new FsckReport(
            row.rows,
            row.cells,
            row.points,
            row.annotations,
            row.histograms,
            0,
            row.found,
            Map.of()));
    pending.remove();
  }

  private synchronized void add(FsckReport more) {
    total = total.plus(more);
  }

  synchronized FsckReport report() {
    return total;
  }
}
