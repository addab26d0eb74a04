package org.hourstone.tsd;

import java.io.PrintStream;
import org.hourstone.rewrite.CompactionListener;
import org.hourstone.rewrite.CompactionReport;
import org.hourstone.write.SingleLine;

/**
 * Shows the progress of a compaction on standard error (on a terminal, in one line that is
 * redrawn), and the first rows that were skipped.
 */
final class CompactProgress implements CompactionListener, AutoCloseable {
  static final int SKIPPED_SHOWN = 10;

  private static final int ROWS_PER_DRAWING = 1_000;
  private static final int ROWS_PER_LINE = 100_000;
  private static final String CLEAR_LINE = "\r\u001b[K";

  private final PrintStream err;
  private final boolean terminal;
  private boolean drawn;
  private long skipped;

  CompactProgress(PrintStream err, boolean terminal) {
    this.err = err;
    this.terminal = terminal;
  }

  @Override
  public void skipped(String reason) {
    if (++skipped <= SKIPPED_SHOWN) {
      close();
      err.println("skipped: " + SingleLine.of(reason));
    }
  }

  @Override
  public void progress(CompactionReport soFar) {
    if (soFar.rows() % (terminal ? ROWS_PER_DRAWING : ROWS_PER_LINE) != 0) {
      return;
    }
    String line =
        Plurals.count(soFar.rows(), "row")
            + " read, "
            + Plurals.number(soFar.rewritten())
            + " rewritten";
    if (terminal) {
      err.print(CLEAR_LINE + line);
      drawn = true;
    } else {
      err.println(line);
    }
  }

  /** Erases the progress line. */
  @Override
  public void close() {
    if (drawn) {
      err.print(CLEAR_LINE);
      drawn = false;
    }
  }
}
