package org.hourstone.tsd.command;

import java.time.Duration;
import java.time.Instant;
import org.hourstone.Tsdb;
import org.hourstone.rewrite.CompactionListener;
import org.hourstone.rewrite.CompactionReport;
import org.hourstone.rewrite.CompactionScope;
import org.hourstone.tsd.session.Progress;
import org.hourstone.tsd.session.SessionCommand;
import org.hourstone.tsd.session.Threads;
import org.hourstone.tsd.session.UsageException;
import org.hourstone.tsd.terminal.Plurals;
import org.hourstone.tsd.terminal.TextOutput;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code compact}. */
@Command(
    name = "compact",
    description = {
      "Merges the cells of each row whose hour is over into one, or a few if one would be too"
          + " large. Query results don't change; storage shrinks and reads become faster.",
      "",
      "A process that writes also compacts the rows it has written, in the background. This"
          + " command finds all others. It may be interrupted at any time, and run again.",
      "",
      "A row that is corrupt, or has two values with the same timestamp where the settings don't"
          + " say which to keep, is left unchanged; then the exit status is 1."
    },
    footer = {"  hourstone compact", "  hourstone compact --metric sys.cpu.user --start 7d-ago"})
public final class CompactCommand extends SessionCommand {
  @Option(names = "--metric", paramLabel = "METRIC", description = "Only rows of this metric.")
  @Nullable String metric;

  @Option(
      names = "--start",
      paramLabel = "TIME",
      description = "Only rows from the hour of this time; TIME as for query.")
  @Nullable String start;

  @Option(
      names = "--end",
      paramLabel = "TIME",
      description = "Only rows up to the hour of this time.")
  @Nullable String end;

  @Mixin Threads threads = new Threads();

  /** Shows a compaction. */
  private static final class View extends RunView implements CompactionListener {
    View(Progress progress) {
      super(progress, "compact", "compacted", null);
    }
  }

  @Override
  public boolean isJob() {
    return true;
  }

  @Override
  protected void check() {
    scope();
    threads.count(1);
  }

  @Override
  protected boolean run() {
    CompactionScope scope = scope();
    int threadCount = threads.count(1);
    try (Tsdb db = session().store().openExisting();
        Progress progress = Progress.of(session())) {
      Instant started = session().clock().instant();
      View view = new View(progress);
      CompactionReport report = db.compactor().run(scope, threadCount, view);
      view.finish(report.rows());
      summarize(report, Duration.between(started, session().clock().instant()));
      return report.skipped() == 0;
    }
  }

  private CompactionScope scope() {
    CompactionScope all = CompactionScope.everything();
    long first = session().settings().time("--start", start, 0);
    long last = session().settings().time("--end", end, Long.MAX_VALUE);
    if (last < first) {
      throw new UsageException("--end " + end + " is before --start " + start);
    }
    CompactionScope ranged = start == null && end == null ? all : all.between(first, last);
    return metric == null ? ranged : ranged.ofMetric(metric);
  }

  private void summarize(CompactionReport report, Duration took) {
    TextOutput out = out();
    out.line(
        Plurals.count(report.rows(), "row")
            + " read in "
            + Plurals.seconds(took)
            + ", "
            + Plurals.number(report.rewritten())
            + " rewritten"
            + (report.rewritten() == 0
                ? ""
                : ": "
                    + Plurals.count(report.cellsBefore(), "cell")
                    + " became "
                    + Plurals.number(report.cellsAfter())));
    if (report.early() > 0) {
      out.line(
          Plurals.count(report.early(), "row")
              + " postponed: the hour is not over, the row was written to a moment ago, or a"
              + " writer's journal may have older points");
    }
    if (report.skipped() > 0) {
      out.line(
          Plurals.count(report.skipped(), "row")
              + " skipped"
              + (report.skipped() > RunView.SHOWN
                  ? "; the first " + RunView.SHOWN + " are shown above"
                  : ""));
    }
  }
}
