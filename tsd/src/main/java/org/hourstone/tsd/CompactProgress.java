package org.hourstone.tsd;

import org.hourstone.rewrite.CompactionListener;
import org.hourstone.rewrite.CompactionReport;
import org.hourstone.write.SingleLine;

/** Shows the progress of a compaction, and the first rows that were skipped. */
final class CompactProgress implements CompactionListener {
  static final int SKIPPED_SHOWN = 10;

  private static final int ROWS_PER_LINE = 100_000;

  private final Progress progress;
  private long skipped;

  CompactProgress(Progress progress) {
    this.progress = progress;
  }

  @Override
  public void skipped(String reason) {
    if (++skipped <= SKIPPED_SHOWN) {
      progress.line("skipped: " + SingleLine.of(reason));
    }
  }

  @Override
  public void progress(CompactionReport soFar) {
    progress.rows(soFar.rows(), ROWS_PER_LINE, () -> counts(soFar));
  }

  @Override
  public void reclaiming(CompactionReport soFar) {
    if (progress.redraws()) {
      progress.rows(0, ROWS_PER_LINE, () -> counts(soFar) + "; reclaiming space");
    }
  }

  private static String counts(CompactionReport soFar) {
    return Plurals.count(soFar.rows(), "row")
        + " read, "
        + Plurals.number(soFar.rewritten())
        + " rewritten";
  }
}
