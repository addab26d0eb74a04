package org.hourstone.tsd;

import java.io.PrintStream;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/**
 * Shows on standard error the progress of a run that is divided into parts: a bar on a terminal,
 * otherwise a line periodically.
 */
final class PartsProgress implements AutoCloseable {
  private static final String CLEAR_LINE = "\r\u001b[K";
  private static final int UPDATE_MILLIS = 200;
  private static final long ROWS_PER_LINE = 1_000_000;

  private final PrintStream err;
  private final String did;
  private final @Nullable ProgressBar bar;
  private long told;

  private PartsProgress(PrintStream err, String did, @Nullable ProgressBar bar) {
    this.err = err;
    this.did = did;
    this.bar = bar;
  }

  /**
   * @param task its name
   * @param did the action on the rows, such as checked
   */
  static PartsProgress of(Session session, boolean bar, String task, String did) {
    if (!bar) {
      return new PartsProgress(session.err(), did, null);
    }
    return new PartsProgress(
        session.err(),
        did,
        new ProgressBarBuilder()
            .setTaskName(task)
            .setInitialMax(0)
            .setStyle(ProgressBarStyle.UNICODE_BLOCK)
            .setUpdateIntervalMillis(UPDATE_MILLIS)
            .setConsumer(
                new ConsoleProgressBarConsumer(session.err(), session.streams().columns() - 1))
            .build());
  }

  void show(long rows, int done, int parts) {
    String count = Plurals.count(rows, "row");
    if (bar != null) {
      bar.maxHint(parts);
      bar.stepTo(done);
      bar.setExtraMessage(" " + count);
    } else if (rows - told >= ROWS_PER_LINE) {
      told = rows;
      err.println(count + " " + did);
    }
  }

  /** The run is complete. */
  void finish(long rows) {
    if (bar != null) {
      bar.stepTo(bar.getMax());
      bar.setExtraMessage(" " + Plurals.count(rows, "row"));
    }
  }

  /** Shows a line, above the bar if there is one. */
  void line(String line) {
    err.println(bar == null ? line : CLEAR_LINE + line);
  }

  @Override
  public void close() {
    if (bar != null) {
      bar.close();
    }
  }
}
