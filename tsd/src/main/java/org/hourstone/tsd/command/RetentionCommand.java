package org.hourstone.tsd.command;

import java.time.Duration;
import java.time.Instant;
import org.hourstone.RetentionSettings;
import org.hourstone.Tsdb;
import org.hourstone.retention.ImplausibleClockException;
import org.hourstone.retention.RetentionReport;
import org.hourstone.tsd.session.CommandException;
import org.hourstone.tsd.session.Progress;
import org.hourstone.tsd.session.SessionCommand;
import org.hourstone.tsd.session.Threads;
import org.hourstone.tsd.session.UsageException;
import org.hourstone.tsd.terminal.Plurals;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code retention}. */
@Command(
    name = "retention",
    description = {
      "Deletes the values that have expired by the rules of hourstone.retention, and reclaims their"
          + " space. Queries don't return them before, either; a daemon deletes them by itself,"
          + " once an hour.",
      "",
      "Values expire with their row, an hour of a series. This command may be interrupted at any"
          + " time, and run again."
    },
    footer = {"  hourstone --set 'hourstone.retention=* raw 400d' retention --dry-run"})
public final class RetentionCommand extends SessionCommand {
  @Option(names = "--dry-run", description = "Only counts what has expired.")
  boolean dryRun;

  @Option(
      names = "--clock-is-right",
      description =
          "Deletes even if the newest point is more than a day older than this machine's time.")
  boolean clockIsRight;

  @Mixin Threads threads = new Threads();

  @Override
  public boolean isJob() {
    return true;
  }

  @Override
  protected void check() {
    if (session().settings().options().get(RetentionSettings.RULES).isEmpty()) {
      throw new UsageException(RetentionSettings.RULES.key() + " has no rule: everything is kept");
    }
    threads.count(1);
  }

  @Override
  protected boolean run() {
    int threadCount = threads.count(1);
    try (Tsdb db = dryRun ? session().store().openToRead() : session().store().openExisting();
        Progress progress = Progress.of(session())) {
      Instant started = session().clock().instant();
      RunView view = new RunView(progress, "retention", dryRun ? "counted" : "deleted", null);
      RetentionReport report = db.retention().run(dryRun, clockIsRight, threadCount, view);
      view.finish(report.rows());
      summarize(report, Duration.between(started, session().clock().instant()));
      return true;
    } catch (ImplausibleClockException e) {
      throw new CommandException(e.getMessage(), e);
    }
  }

  private void summarize(RetentionReport report, Duration took) {
    for (RetentionReport.OfRule rule : report.rules()) {
      out()
          .line(
              Plurals.count(rule.rows(), "row")
                  + " of "
                  + rule.values()
                  + " values, "
                  + Plurals.number(rule.bytes())
                  + " bytes: "
                  + rule.rule());
    }
    out()
        .line(
            Plurals.count(report.rows(), "row")
                + (dryRun ? " would be deleted" : " deleted")
                + ", found in "
                + Plurals.seconds(took));
    if (report.waiting() > 0) {
      out()
          .line(
              Plurals.count(report.waiting(), "row")
                  + (report.waiting() == 1 ? " has" : " have")
                  + " expired and must be rolled up first: a daemon does it, or rollup");
    }
    if (report.series() > 0) {
      out()
          .line(
              Plurals.count(report.series(), "series", "series") + " without a row left the index");
    }
  }
}
