package org.hourstone.tsd.command;

import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.index.IndexRebuild;
import org.hourstone.tsd.session.Progress;
import org.hourstone.tsd.session.SessionCommand;
import org.hourstone.tsd.session.Threads;
import org.hourstone.tsd.terminal.Plurals;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code index rebuild}. */
@Command(
    name = "rebuild",
    description = {
      "Enters all series that have rows into the series index, and marks it complete: reads the"
          + " keys"
          + " of all rows of data.",
      "",
      "Writers need not be stopped if all of them maintain the index. On a store that other"
          + " processes share it waits 90 seconds before it reads, unless the index is complete. It"
          + " may be interrupted at any time, and run again. The exit status is 1 if the index is"
          + " not complete afterwards."
    },
    footer = {"  hourstone index rebuild"})
final class IndexRebuildCommand extends SessionCommand {
  @Mixin Threads threads = new Threads();

  @Override
  public boolean isJob() {
    return true;
  }

  @Override
  protected void check() {
    threads.count(1);
  }

  @Override
  protected boolean run() {
    int threadCount = threads.count(1);
    session().store().checkExists();
    try (Tsdb db = session().store().open(options());
        Progress progress = Progress.of(session())) {
      View view = new View(progress);
      IndexRebuild.Report report = db.index().rebuild(view).run(threadCount);
      view.finish(report.rows());
      out()
          .line(
              Plurals.count(report.rows(), "row")
                  + " read, "
                  + Plurals.number(report.entered())
                  + " series entered; the index is "
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

  /** Shows a rebuild. */
  private static final class View extends RunView implements IndexRebuild.Listener {
    private final Progress progress;
    private boolean waits;

    View(Progress progress) {
      super(progress, "index", "read", null);
      this.progress = progress;
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
  }

  /**
   * A user who rebuilds the index wants it to be maintained, unless the settings specify otherwise.
   */
  private TsdbOptions options() {
    TsdbOptions options = session().settings().options();
    return options.get(Settings.INDEX_ENABLE).isEmpty()
        ? options.with(Settings.INDEX_ENABLE, "true")
        : options;
  }
}
