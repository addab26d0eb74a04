package org.hourstone.tsd.command;

import java.time.Duration;
import java.util.StringJoiner;
import org.hourstone.Tsdb;
import org.hourstone.error.RequestException;
import org.hourstone.series.Durations;
import org.hourstone.tool.Admin;
import org.hourstone.tool.UidReclaim;
import org.hourstone.tsd.session.Progress;
import org.hourstone.tsd.session.SessionCommand;
import org.hourstone.tsd.session.Threads;
import org.hourstone.tsd.session.UsageException;
import org.hourstone.tsd.terminal.Plurals;
import org.hourstone.uid.UidKind;
import org.hourstone.write.SingleLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code uid reclaim}. */
@Command(
    name = "reclaim",
    description = {
      "Deletes the names that nothing uses, with their UIDs and UIDMeta: no row of points,"
          + " annotations, histograms or rolled-up values, no series of the index or of tsdb-meta,"
          + " and no leaf of a tree. All of these tables are read. Each name is shown on a line.",
      "",
      "The numbers are not assigned again. Writers of this store need not be stopped if no other"
          + " process uses it, and the series index is on; otherwise stop all of them, and confirm"
          + " that with --no-writers. May be interrupted at any time, and run again."
    },
    footer = {"  hourstone uid reclaim --dry-run", "  hourstone uid reclaim --older-than 30d"})
final class UidReclaimCommand extends SessionCommand {
  @Option(names = "--dry-run", description = "Only shows and counts the names.")
  boolean dryRun;

  @Option(
      names = "--older-than",
      paramLabel = "DURATION",
      defaultValue = "1d",
      description =
          "Keeps names that were assigned or renamed within this time; by default"
              + " ${DEFAULT-VALUE}.")
  String olderThan = "1d";

  @Option(
      names = "--no-writers",
      description = "No other process writes until the command has ended.")
  boolean noWriters;

  @Mixin Threads threads = new Threads();

  @Override
  public boolean isJob() {
    return true;
  }

  @Override
  protected void check() {
    threads.count(1);
    age();
  }

  @Override
  protected boolean run() {
    int threadCount = threads.count(1);
    Duration age = age();
    try (Tsdb db = dryRun ? session().store().openToRead() : session().store().openExisting();
        Progress progress = Progress.of(session())) {
      UidReclaim.Options how =
          new UidReclaim.Options(session().clock().instant().minus(age), dryRun, noWriters);
      View view = new View(progress);
      UidReclaim.Report report = Admin.of(db).uidReclaim(how, view).run(threadCount);
      out().line(summary(report));
      return true;
    }
  }

  private Duration age() {
    try {
      return Duration.ofMillis(Durations.parseMillis(olderThan));
    } catch (RequestException e) {
      throw new UsageException("--older-than: " + e.getMessage());
    }
  }

  private String summary(UidReclaim.Report report) {
    StringJoiner kinds = new StringJoiner(", ");
    for (UidKind kind : UidKind.values()) {
      kinds.add(Plurals.number(report.unused().getOrDefault(kind, 0L)) + " " + kind.qualifier());
    }
    return Plurals.count(report.names(), "name")
        + " read, "
        + Plurals.number(report.sum())
        + (dryRun ? " unused: " : " unused and deleted: ")
        + kinds;
  }

  /** Shows a run, with the names on standard output. */
  private final class View extends RunView implements UidReclaim.Listener {
    View(Progress progress) {
      super(progress, "uid reclaim", "read", null);
    }

    @Override
    public void unused(UidKind kind, String name, byte[] uid) {
      out().line(SingleLine.of(UidAssignment.line(kind, name, uid) + (dryRun ? "" : " deleted")));
    }
  }
}
