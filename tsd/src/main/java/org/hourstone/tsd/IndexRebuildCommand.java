package org.hourstone.tsd;

import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.index.IndexRebuild;
import picocli.CommandLine.Command;

/** {@code index rebuild}. */
@Command(
    name = "rebuild",
    description = {
      "Enters all series that have rows into the series index, and marks it complete: reads the"
          + " keys"
          + " of all rows of data.",
      "",
      "Writers need not be stopped if all of them maintain the index. On a store that other"
          + " processes share it waits 90 seconds before it reads, unless the index is complete."
          + " It may be interrupted at any time, and run again. The exit status is 1 if the index is not complete"
          + " afterwards."
    },
    footer = {"  hourstone index rebuild"})
final class IndexRebuildCommand extends SessionCommand {
  private static final int ROWS_PER_NOTE = 1_000_000;

  @Override
  boolean run() {
    session().checkExists();
    try (Tsdb db = session().open(options());
        Progress progress = Progress.of(session())) {
      IndexRebuild.Report report = db.index().rebuild(listener(progress)).run();
      out()
          .line(
              read(report.rows(), report.entered())
                  + "; the index is "
                  + (report.complete() ? "complete" : "not complete"));
      if (!report.complete()) {
        session()
            .report(
                "in the meantime another process has written without maintaining the index, or"
                    + " started another rebuild");
      }
      return report.complete();
    }
  }

  private static IndexRebuild.Listener listener(Progress progress) {
    return new IndexRebuild.Listener() {
      private boolean waits;

      @Override
      public void reached(long rows, long entered) {
        progress.rows(rows, ROWS_PER_NOTE, () -> read(rows, entered));
      }

      @Override
      public void waiting(long seconds) {
        if (!waits) {
          progress.line(
              "waits "
                  + seconds
                  + " s: until then processes that write without the index notice the rebuild");
          waits = true;
        }
      }
    };
  }

  /**
   * A user who rebuilds the index wants it to be maintained, unless the settings specify otherwise.
   */
  private TsdbOptions options() {
    TsdbOptions options = session().options();
    return options.get(Settings.INDEX_ENABLE).isEmpty()
        ? options.with(Settings.INDEX_ENABLE, "true")
        : options;
  }

  private static String read(long rows, long entered) {
    return Plurals.count(rows, "row") + " read, " + Plurals.number(entered) + " series entered";
  }
}
