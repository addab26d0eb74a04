package org.hourstone.tsd.command;

import java.util.ArrayList;
import java.util.List;
import org.hourstone.Tsdb;
import org.hourstone.internal.UidText;
import org.hourstone.table.TableProgress;
import org.hourstone.tool.Admin;
import org.hourstone.tool.MetaSync;
import org.hourstone.tool.MetaSyncReport;
import org.hourstone.tsd.session.Progress;
import org.hourstone.tsd.session.SessionCommand;
import org.hourstone.tsd.terminal.Plurals;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code uid metasync}. */
@Command(
    name = "metasync",
    description = {
      "Creates metadata that was not stored when points were written: reads all points, and"
          + " creates the missing metadata of series and names.",
      "",
      "Existing metadata stays, except that a time of creation after the first point is"
          + " corrected and unreadable metadata is created again. Writers need not be stopped."
          + " Trees are not changed: treesync does that. The exit status is 1 if a row or series"
          + " could not be"
          + " used."
    },
    footer = {
      "  hourstone uid metasync",
      "  hourstone uid metasync --from 0000016553EDE0000001000001"
    })
final class UidMetasyncCommand extends SessionCommand {
  @Option(
      names = "--from",
      paramLabel = "ROW",
      description = "Begins with this row, in hex, to resume an interrupted run.")
  String from = "";

  @Override
  public boolean isJob() {
    return true;
  }

  @Override
  protected void check() {
    UidText.parse(from);
  }

  @Override
  protected boolean run() {
    byte[] start = UidText.parse(from);
    try (Tsdb db = session().store().openExisting();
        Progress progress = Progress.of(session())) {
      View view = new View(progress);
      session().ending().whenStopped(() -> place(view.last()));
      MetaSync sync = Admin.of(db).metaSync(view);
      MetaSyncReport report = sync.run(start);
      out().line(summary(report));
      return report.skipped() == 0;
    }
  }

  /** The text that says how to continue after the last row. */
  private static String place(byte[] row) {
    return row.length == 0
        ? ""
        : "hourstone: stopped; to continue: uid metasync --from " + UidText.format(row);
  }

  /** Shows a run, with the row from which it can be resumed. */
  private final class View extends RunView {
    View(Progress progress) {
      super(progress, "metasync", "read", null);
    }

    @Override
    public void skipped(String why) {
      session().report(why);
    }

    @Override
    String did(TableProgress now) {
      return "read, up to " + UidText.format(now.last());
    }
  }

  private static String summary(MetaSyncReport report) {
    List<String> parts = new ArrayList<>();
    parts.add(Plurals.count(report.rows(), "row") + " read");
    parts.add(Plurals.count(report.series(), "TSMeta", "TSMeta") + " created");
    parts.add(Plurals.count(report.names(), "UIDMeta", "UIDMeta") + " created");
    parts.add(Plurals.count(report.counters(), "counter") + " created");
    if (report.dated() > 0) {
      parts.add(Plurals.count(report.dated(), "time") + " of creation corrected");
    }
    if (report.replaced() > 0) {
      parts.add(report.replaced() + " unreadable replaced");
    }
    if (report.skipped() > 0) {
      parts.add(report.skipped() + " skipped");
    }
    return String.join(", ", parts);
  }
}
