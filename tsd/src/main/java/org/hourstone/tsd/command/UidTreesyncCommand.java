package org.hourstone.tsd.command;

import java.util.Optional;
import org.hourstone.Tsdb;
import org.hourstone.tree.TreeSyncReport;
import org.hourstone.tsd.session.SessionCommand;
import org.hourstone.tsd.terminal.Plurals;
import picocli.CommandLine.Command;

/** {@code uid treesync}. */
@Command(
    name = "treesync",
    description = {
      "Sorts all series that have metadata into the trees that are enabled.",
      "",
      "Existing branches and leaves stay unchanged. The exit status is 1 if a series could not"
          + " be sorted into a tree."
    },
    footer = {"  hourstone uid treesync"})
final class UidTreesyncCommand extends SessionCommand {
  @Override
  public boolean isJob() {
    return true;
  }

  @Override
  protected boolean run() {
    try (Tsdb db = session().store().openExisting()) {
      TreeSyncReport report = db.seriesTrees().syncAll(Optional.empty());
      report.failures().forEach(session()::report);
      out().line(summary(report));
      return report.failed() == 0;
    }
  }

  private static String summary(TreeSyncReport report) {
    return Plurals.count(report.series(), "series", "series")
        + " sorted, "
        + Plurals.count(report.placed(), "leaf", "leaves")
        + ", "
        + Plurals.count(report.unplaced(), "time")
        + " no place"
        + (report.failed() == 0 ? "" : ", " + Plurals.count(report.failed(), "failure"));
  }
}
