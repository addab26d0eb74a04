package org.hourstone.tsd.terminal;

import java.io.PrintStream;
import java.util.function.BooleanSupplier;
import me.tongfei.progressbar.ProgressBarConsumer;

/** The terminal line in which a progress bar is drawn, until the process is asked to end. */
public final class BarLine implements ProgressBarConsumer {
  /** Columns that a bar leaves free: for the cursor, and for the ^C that a terminal shows. */
  private static final int FREE = 3;

  /** Columns of a bar's numbers, and of a short bar. */
  private static final int NUMBERS = 48;

  private static final int SHORTEST_NAME = 12;

  private final PrintStream err;
  private final int columns;
  private final BooleanSupplier stopped;

  public BarLine(PrintStream err, int columns, BooleanSupplier stopped) {
    this.err = err;
    this.columns = columns;
    this.stopped = stopped;
  }

  /** A file's name, shortened to its last characters so that the bar fits next to it. */
  public static String name(String file, int columns) {
    int most = Math.max(SHORTEST_NAME, Math.min(columns / 3, columns - NUMBERS));
    int length = file.codePointCount(0, file.length());
    return length <= most
        ? file
        : "…" + file.substring(file.offsetByCodePoints(0, length - most + 1));
  }

  @Override
  public int getMaxRenderedLength() {
    return Math.max(1, columns - FREE);
  }

  @Override
  public void accept(String bar) {
    if (!stopped.getAsBoolean()) {
      err.print(TerminalLine.of(bar));
    }
  }

  @Override
  public void close() {
    err.println();
  }
}
