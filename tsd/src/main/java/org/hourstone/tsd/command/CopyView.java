package org.hourstone.tsd.command;

import java.time.Duration;
import java.util.Locale;
import org.hourstone.tool.CopyCounts;
import org.hourstone.tool.CopyReport;
import org.hourstone.tsd.terminal.Plurals;
import org.hourstone.tsd.terminal.TextOutput;

/** The report of a copy, as text. */
final class CopyView {
  private final TextOutput out;
  private final boolean verifyOnly;

  /**
   * @param verifyOnly whether nothing was written
   */
  CopyView(TextOutput out, boolean verifyOnly) {
    this.out = out;
    this.verifyOnly = verifyOnly;
  }

  /**
   * @param lost how many ranges of rows could not be read
   */
  void show(CopyReport report, CopyRun run, int lost, Duration took) {
    report
        .families()
        .forEach(
            (family, counts) -> {
              if (counts.rows() > 0) {
                out.line(family + ": " + line(counts));
              }
            });
    CopyCounts total = report.total();
    out.line(
        read(total)
            + " compared in "
            + Plurals.seconds(took)
            + ", "
            + Plurals.number(total.put())
            + (verifyOnly ? " missing" : " put and read back"));
    say(total.newer(), "newer in the target, left unchanged");
    say(total.dated(), "equal, but with another write time");
    // The report includes the findings of interrupted runs.
    long different = Math.max(run.differences(), total.differing());
    say(different, verifyOnly ? "missing or different" : "different, left unchanged");
    if (lost > 0) {
      out.line(Plurals.count(lost, "range") + " of rows could not be read");
    }
  }

  private void say(long cells, String what) {
    if (cells > 0) {
      out.line(Plurals.count(cells, "cell") + " " + what);
    }
  }

  private static String read(CopyCounts counts) {
    return Plurals.count(counts.rows(), "row") + " with " + Plurals.count(counts.cells(), "cell");
  }

  private static String line(CopyCounts counts) {
    String checksum = ", checksum " + hex(counts.checksum());
    return read(counts)
        + (counts.checksum() == counts.targetChecksum()
            ? checksum
            : checksum + ", in the target " + hex(counts.targetChecksum()));
  }

  private static String hex(long checksum) {
    return String.format(Locale.ROOT, "%016x", checksum);
  }
}
