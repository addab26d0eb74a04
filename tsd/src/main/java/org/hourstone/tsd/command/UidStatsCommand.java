package org.hourstone.tsd.command;

import java.util.Locale;
import org.hourstone.Tsdb;
import org.hourstone.tsd.session.SessionCommand;
import org.hourstone.tsd.session.UidsLeft;
import org.hourstone.tsd.terminal.Plurals;
import org.hourstone.uid.UidKind;
import org.hourstone.uid.UidUsage;
import picocli.CommandLine.Command;

/** {@code uid stats}. */
@Command(
    name = "stats",
    description = {
      "Shows how many UIDs of each kind are used, and how many there can be.",
      "",
      "If metrics get random UIDs (tsd.core.uid.random_metrics), all their names are read to"
          + " count them."
    },
    footer = {"  hourstone uid stats"})
final class UidStatsCommand extends SessionCommand {
  @Override
  protected boolean run() {
    try (Tsdb db = session().store().openToRead()) {
      for (UidKind kind : UidKind.values()) {
        UidUsage usage = db.uids().usage(kind);
        out().line(line(usage));
        if (usage.isScarce()) {
          session().report(UidsLeft.warning(usage));
        }
      }
    }
    return true;
  }

  private static String line(UidUsage usage) {
    return String.format(
        Locale.ROOT,
        "%-7s %,d of %,d UIDs of %s used, %s",
        usage.kind().qualifier(),
        usage.assigned(),
        usage.maximum(),
        Plurals.count(usage.width(), "byte"),
        UidsLeft.percent(usage));
  }
}
