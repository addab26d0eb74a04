package org.hourstone.tsd;

import java.io.PrintStream;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/**
 * Shows on standard error how far a run is: a bar for a terminal, a line now and then elsewhere.
 */
final class FsckProgress implements AutoCloseable {
  private static final int UPDATE_MILLIS = 200;
  private static final long ROWS_PER_LINE = 1_000_000;

  private final PrintStream err;
  private final @Nullable ProgressBar bar;
  private long told;

  private FsckProgress(PrintStream err, @Nullable ProgressBar bar) {
    this.err = err;
    this.bar = bar;
  }

  static FsckProgress of(Session session, boolean bar) {
    if (!bar) {
      return new FsckProgress(session.err(), null);
    }
    return new FsckProgress(
        session.err(),
        new ProgressBarBuilder()
            .setTaskName("fsck")
            .setInitialMax(0)
            .setStyle(ProgressBarStyle.UNICODE_BLOCK)
            .setUpdateIntervalMillis(UPDATE_MILLIS)
            .setConsumer(
                new ConsoleProgressBarConsumer(session.err(), session.streams().columns() - 1))
            .build());
  }

  void show(long rows, int done, int parts) {
    String count = Wording.count(rows, "row");
    if (bar != null) {
      bar.maxHint(parts);
      bar.stepTo(done);
      bar.setExtraMessage(" " + count);
    } else if (rows - told >= ROWS_PER_LINE) {
      told = rows;
      err.println(count + " checked");
    }
  }

  /** The run is complete. */
  void finish(long rows) {
    if (bar != null) {
      bar.stepTo(bar.getMax());
      bar.setExtraMessage(" " + Wording.count(rows, "row"));
    }
  }

  @Override
  public void close() {
    if (bar != null) {
      bar.close();
    }
  }
}
