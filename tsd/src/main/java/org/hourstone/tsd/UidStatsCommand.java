package org.hourstone.tsd;

import java.util.Locale;
import org.hourstone.Tsdb;
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
  boolean run() {
    try (Tsdb db = session().openToRead()) {
      for (UidKind kind : UidKind.values()) {
        UidUsage usage = db.uids().usage(kind);
        out().line(line(usage));
        if (usage.isScarce()) {
          session().report(warning(usage));
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
        percent(usage));
  }

  /** The warning when few UIDs are left. */
  static String warning(UidUsage usage) {
    return percent(usage)
        + " of the UIDs of "
        + usage.kind().qualifier()
        + " are used; when none is left, new names are refused";
  }

  private static String percent(UidUsage usage) {
    return String.format(Locale.ROOT, "%.1f %%", Math.floor(usage.part() * 1000) / 10);
  }
}
