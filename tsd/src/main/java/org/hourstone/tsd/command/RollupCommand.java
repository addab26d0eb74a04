package org.hourstone.tsd.command;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import org.hourstone.RollupSettings;
import org.hourstone.Tsdb;
import org.hourstone.rollup.HourRange;
import org.hourstone.rollup.OwnRollups;
import org.hourstone.tsd.session.CommandException;
import org.hourstone.tsd.session.Progress;
import org.hourstone.tsd.session.SessionCommand;
import org.hourstone.tsd.session.UsageException;
import org.hourstone.tsd.terminal.Plurals;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code rollup}. */
@Command(
    name = "rollup",
    description = {
      "Rolls up points to the intervals of hourstone.rollups.auto: the hours that have ended, those"
          + " that have changed since, and older ones, day by day. A daemon does so by itself, once"
          + " a minute.",
      "",
      "This command may be interrupted at any time, and run again: it continues with the day that"
          + " was not complete."
    },
    footer = {"  hourstone --set hourstone.rollups.auto=10m,1h,1d rollup"})
public final class RollupCommand extends SessionCommand {
  @Option(
      names = "--verify",
      description =
          "Computes again what is rolled up, and repairs what differs; then the status is 1.")
  boolean verify;

  @Override
  public boolean isJob() {
    return true;
  }

  @Override
  protected void check() {
    // Otherwise a daemon may have the store open, whose settings have intervals.
    if (session().job() != null
        && session().settings().options().get(RollupSettings.AUTO).isBlank()) {
      throw noIntervals();
    }
  }

  private static UsageException noIntervals() {
    return new UsageException(RollupSettings.AUTO.key() + " has no interval");
  }

  @Override
  protected boolean run() {
    try (Tsdb db = session().store().openToExtend();
        Progress progress = Progress.of(session())) {
      OwnRollups rollups = db.ownRollups().orElseThrow(RollupCommand::noIntervals);
      Instant started = session().clock().instant();
      progress.start("rollup");
      AtomicInteger steps = new AtomicInteger();
      long before = rollups.rows();
      boolean same = true;
      if (verify) {
        long differing =
            rollups.verify(
                session().ending()::isStopped, done -> show(progress, done, steps, rollups));
        out().line(Plurals.count(differing, "row") + " of rolled-up values repaired");
        same = differing == 0;
      } else {
        rollups.run(
            session().ending()::isStopped,
            done -> show(progress, done, steps, rollups),
            rows -> progress.proceed());
        summarize(
            rollups,
            rollups.rows() - before,
            Duration.between(started, session().clock().instant()));
      }
      return same;
    } catch (CancellationException e) {
      throw new CommandException("interrupted; the days that are complete stay so", e);
    }
  }

  private static void show(
      Progress progress, HourRange done, AtomicInteger steps, OwnRollups rollups) {
    progress.proceed();
    int step = steps.incrementAndGet();
    progress.parts(
        rollups.rows(), step, step + 1, "rolled up from " + Instant.ofEpochSecond(done.from()));
  }

  private void summarize(OwnRollups rollups, long rows, Duration took) {
    HourRange done = rollups.hours().done();
    out()
        .line(
            Plurals.count(rows, "row")
                + " rolled up in "
                + Plurals.seconds(took)
                + (done.isEmpty() ? "" : "; done until " + Instant.ofEpochSecond(done.until())));
  }
}
