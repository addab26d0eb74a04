package org.hourstone.tsd.command;

import java.util.ArrayList;
import java.util.List;
import org.hourstone.Tsdb;
import org.hourstone.tool.Admin;
import org.hourstone.tool.UidFinding;
import org.hourstone.tool.UidFsckListener;
import org.hourstone.tool.UidFsckReport;
import org.hourstone.tsd.session.Progress;
import org.hourstone.tsd.session.SessionCommand;
import org.hourstone.tsd.session.UsageException;
import org.hourstone.tsd.terminal.Plurals;
import org.hourstone.write.SingleLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code uid fsck}. */
@Command(
    name = "fsck",
    parameterListHeading = "",
    customSynopsis = "hourstone uid fsck [fix] [delete_unknown]",
    description = {
      "Checks that names and UIDs lead to each other, and that the counters are right.",
      "",
      "Each error is shown on a line. Without fix nothing is changed. Writers need not"
          + " be stopped; their caches should be dropped after a repair. The exit status is 1 if"
          + " an error was not repaired. Numbers that are left when processes meet a new name at"
          + " once are no errors."
    },
    footer = {"  hourstone uid fsck", "  hourstone uid fsck --fix --delete-unknown"})
final class UidFsckCommand extends SessionCommand {
  @Option(names = "--fix", description = "Repairs errors; the same as the word fix.")
  boolean fix;

  @Option(
      names = "--delete-unknown",
      description = "Deletes unknown columns; the same as delete_unknown.")
  boolean deleteUnknown;

  @Parameters(arity = "0..2", hidden = true)
  List<String> words = new ArrayList<>();

  @Override
  public boolean isJob() {
    return true;
  }

  @Override
  protected void check() {
    for (String word : words) {
      switch (word) {
        case "fix" -> fix = true;
        case "delete_unknown" -> deleteUnknown = true;
        default -> throw new UsageException("not fix or delete_unknown: '" + word + "'");
      }
    }
  }

  @Override
  protected boolean run() {
    boolean writes = fix || deleteUnknown;
    try (Tsdb db = writes ? session().store().openExisting() : session().store().openToRead();
        Progress progress = Progress.of(session())) {
      UidFsckReport report = Admin.of(db).uidFsck(fix, deleteUnknown, new View(progress)).run();
      out().line(summary(report));
      return report.isSound();
    }
  }

  /** Shows a check, with its findings on standard output. */
  private final class View extends RunView implements UidFsckListener {
    View(Progress progress) {
      super(progress, "uid fsck", "read", null);
    }

    @Override
    public void found(UidFinding finding) {
      out().line(SingleLine.of(finding.toString()));
    }
  }

  private static String summary(UidFsckReport report) {
    String read =
        Plurals.count(report.names(), "name")
            + " and "
            + Plurals.count(report.uids(), "UID")
            + " checked, ";
    return read + errors(report) + lostRaces(report);
  }

  private static String errors(UidFsckReport report) {
    if (report.found() == 0) {
      return "no errors found";
    }
    long left = report.found() - report.repaired();
    return Plurals.count(report.found(), "error")
        + " found"
        + (report.repaired() == 0 ? "" : ", " + report.repaired() + " repaired, " + left + " left");
  }

  private static String lostRaces(UidFsckReport report) {
    if (report.lostRaces() == 0) {
      return "";
    }
    String numbers = "; " + Plurals.count(report.lostRaces(), "number") + " of lost races";
    return numbers + (report.removed() == 0 ? "" : ", " + report.removed() + " removed");
  }
}
