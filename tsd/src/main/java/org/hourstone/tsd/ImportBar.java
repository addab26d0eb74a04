package org.hourstone.tsd;

import java.io.PrintStream;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/** A bar for each file, of its bytes, for a terminal. */
final class ImportBar extends ImportProgress {
  private static final int LINES_PER_STEP = 1000;
  private static final int UPDATE_MILLIS = 200;
  private static final String CLEAR_LINE = "\r\u001b[K";

  private final PrintStream err;
  private final int columns;
  private @Nullable ImportInput input;
  private @Nullable ProgressBar bar;
  private long lines;

  ImportBar(PrintStream err, boolean showRejections, int columns) {
    super(err, showRejections);
    this.err = err;
    this.columns = columns;
  }

  @Override
  void start(ImportInput next) {
    close();
    input = next;
    bar =
        new ProgressBarBuilder()
            .setTaskName(next.name())
            .setInitialMax(next.size())
            .setUnit(" MiB", 1 << 20)
            .setStyle(ProgressBarStyle.UNICODE_BLOCK)
            .setUpdateIntervalMillis(UPDATE_MILLIS)
            .setConsumer(new ConsoleProgressBarConsumer(err, columns - 1))
            .build();
  }

  @Override
  public void read(long more) {
    lines += more;
    if (lines % LINES_PER_STEP == 0) {
      step();
    }
  }

  @Override
  public void stored(String file, long lineNumber) {
    step();
  }

  private void step() {
    if (bar != null && input != null) {
      bar.stepTo(input.read());
    }
  }

  @Override
  void show(String line) {
    err.println(CLEAR_LINE + line);
  }

  @Override
  public void close() {
    if (bar != null) {
      step();
      bar.close();
      bar = null;
    }
  }
}
