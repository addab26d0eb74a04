package org.hourstone.tsd.session;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.function.BooleanSupplier;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.hourstone.api.request.JobCommands.JobOutput;
import org.hourstone.tsd.terminal.BarLine;
import org.hourstone.tsd.terminal.Plurals;
import org.hourstone.tsd.terminal.StatusLine;
import org.hourstone.tsd.terminal.Streams;
import org.hourstone.tsd.terminal.TerminalLine;
import org.jspecify.annotations.Nullable;

/**
 * The progress of a command on standard error: on a terminal a bar, or one line that is redrawn;
 * otherwise periodic lines, or none.
 */
public final class Progress implements AutoCloseable {
  private static final int UPDATE_MILLIS = 200;
  private static final long ROWS_PER_LINE = 1_000_000;

  private final PrintStream err;
  private final StatusLine status;
  private final boolean redraws;
  private final int columns;
  private final BooleanSupplier stopped;
  private final @Nullable JobOutput job;
  private @Nullable ProgressBar bar;
  private long rowsShown;

  private Progress(
      PrintStream err,
      StatusLine status,
      boolean redraws,
      int columns,
      BooleanSupplier stopped,
      @Nullable JobOutput job) {
    this.err = err;
    this.status = status;
    this.redraws = redraws;
    this.columns = columns;
    this.stopped = stopped;
    this.job = job;
  }

  /** Redraws only on a terminal. */
  public static Progress of(Session session) {
    return of(session, null);
  }

  /**
   * @param redraws whether to redraw; null to redraw only on a terminal
   */
  public static Progress of(Session session, @Nullable Boolean redraws) {
    Streams streams = session.streams();
    if (redraws != null && !redraws) {
      session.status().end();
    }
    return new Progress(
        session.err(),
        session.status(),
        session.job() == null && (redraws == null ? streams.errIsTerminal() : redraws),
        streams.columns(),
        session.ending()::isStopped,
        session.job());
  }

  /** Shows nothing. */
  public static Progress none(Session session) {
    OutputStream none = OutputStream.nullOutputStream();
    return new Progress(
        new PrintStream(none, false, StandardCharsets.UTF_8),
        session.status(),
        false,
        0,
        () -> true,
        session.job());
  }

  public boolean redraws() {
    return redraws;
  }

  /** Starts a bar for the parts of a table. */
  public void start(String task) {
    start(task, 0, "", 1);
  }

  /**
   * Starts a bar, instead of an earlier one.
   *
   * @param max the maximum in the smallest unit; negative if unknown
   */
  public void start(String task, long max, String unit, long unitSize) {
    close();
    if (redraws) {
      status.end();
      bar =
          new ProgressBarBuilder()
              .setTaskName(BarLine.name(task, columns))
              .setInitialMax(max)
              .setUnit(unit, unitSize)
              .setStyle(ProgressBarStyle.UNICODE_BLOCK)
              .setUpdateIntervalMillis(UPDATE_MILLIS)
              .setConsumer(new BarLine(err, columns, stopped))
              .build();
    }
  }

  public void stepTo(long done) {
    if (bar != null) {
      bar.stepTo(done);
    }
  }

  /**
   * Shows how many parts of a table are complete.
   *
   * @param rows the number of complete rows
   * @param did the action on the rows, such as "checked"
   */
  public void parts(long rows, int done, int parts, String did) {
    String count = Plurals.count(rows, "row");
    if (job != null) {
      job.progress(rows, done, parts);
    } else if (bar != null) {
      bar.maxHint(parts);
      bar.stepTo(done);
      bar.setExtraMessage(" " + count);
    } else if (rows - rowsShown >= ROWS_PER_LINE) {
      rowsShown = rows;
      err.println(count + " " + did);
    }
  }

  /**
   * Called before each part of the work.
   *
   * @throws CommandException if the command is a job that was cancelled
   */
  public void proceed() {
    if (job != null && job.isCancelled()) {
      throw new CommandException("cancelled");
    }
  }

  /** All parts are complete. */
  public void finish(long rows) {
    if (bar != null) {
      bar.stepTo(bar.getMax());
      bar.setExtraMessage(" " + Plurals.count(rows, "row"));
    }
  }

  /** Shows a line, above the bar if there is one. */
  public void line(String line) {
    err.println(bar == null ? line : TerminalLine.CLEAR + line);
  }

  /** Ends the bar. */
  @Override
  public void close() {
    if (bar != null) {
      bar.close();
      bar = null;
    }
  }
}
