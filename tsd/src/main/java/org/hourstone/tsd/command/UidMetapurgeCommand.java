package org.hourstone.tsd.command;

import org.hourstone.Tsdb;
import org.hourstone.tool.Admin;
import org.hourstone.tool.MetaPurge;
import org.hourstone.tsd.session.Progress;
import org.hourstone.tsd.session.SessionCommand;
import org.hourstone.tsd.terminal.Plurals;
import picocli.CommandLine.Command;

/** {@code uid metapurge}. */
@Command(
    name = "metapurge",
    description = {
      "Deletes all metadata of names and series, and the counters of points. Names, UIDs and points"
          + " stay; metasync creates it again, except for what users have written into it."
    },
    footer = {"  hourstone uid metapurge"})
final class UidMetapurgeCommand extends SessionCommand {
  @Override
  public boolean isJob() {
    return true;
  }

  @Override
  protected boolean run() {
    try (Tsdb db = session().store().openExisting();
        Progress progress = Progress.of(session())) {
      MetaPurge.Report report =
          Admin.of(db).metaPurge(new RunView(progress, "metapurge", "read", null)).run();
      out()
          .line(
              Plurals.count(report.names(), "UIDMeta", "UIDMeta")
                  + " and "
                  + Plurals.count(report.series(), "cell")
                  + " of series deleted");
    }
    return true;
  }
}
