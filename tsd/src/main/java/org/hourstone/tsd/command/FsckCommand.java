package org.hourstone.tsd.command;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.kv.Scan;
import org.hourstone.query.Query;
import org.hourstone.query.RowSelection;
import org.hourstone.rewrite.Keep;
import org.hourstone.table.CheckpointException;
import org.hourstone.tool.Admin;
import org.hourstone.tool.Fsck;
import org.hourstone.tool.FsckAction;
import org.hourstone.tool.FsckOptions;
import org.hourstone.tool.FsckReport;
import org.hourstone.tsd.session.CommandException;
import org.hourstone.tsd.session.LostRows;
import org.hourstone.tsd.session.Progress;
import org.hourstone.tsd.session.SessionCommand;
import org.hourstone.tsd.session.Threads;
import org.hourstone.tsd.session.UsageException;
import org.hourstone.tsd.view.FsckPlaces;
import org.hourstone.tsd.view.FsckView;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** {@code fsck}. */
@Command(
    name = "fsck",
    parameterListHeading = "",
    customSynopsis = {
      "hourstone fsck [OPTIONS] --full-scan",
      "hourstone fsck [OPTIONS] START [END] EXPRESSION…"
    },
    description = {
      "Finds corruption in the data table, and repairs it on request.",
      "",
      "Without --fix it only reports what it finds and what would be done. --fix makes the"
          + " repairs that lose no data; a repair that deletes data, or chooses between values,"
          + " needs its own option. A second run does not report repaired errors again. Others"
          + " may write concurrently.",
      "",
      "--full-scan also checks the rollups of hourstone.rollups.auto; rollup --verify repairs"
          + " these.",
      "",
      "START, END and EXPRESSION are those of query; they select the rows to check.",
      "",
      "The exit status is 0 only if no error is left."
    },
    footer = {
      "  hourstone fsck --full-scan",
      "  hourstone fsck --full-scan --fix --resolve-duplicates --save removed.jsonl",
      "  hourstone fsck --fix-all 1d-ago 'sum:sys.cpu.user{host=web01}'"
    })
public final class FsckCommand extends SessionCommand {
  @Spec CommandSpec spec = CommandSpec.create();

  @Option(names = "--full-scan", description = "Checks every row of the table.")
  boolean fullScan;

  @Option(
      names = "--fix",
      description = "Makes the repairs that lose no data, and those other options permit.")
  boolean fix;

  @Option(
      names = "--fix-all",
      description = "The same as --fix, --compact, --resolve-duplicates, --salvage and --delete-….")
  boolean fixAll;

  @Option(
      names = "--last-write-wins",
      description = "With --resolve-duplicates: keeps the newest one instead.")
  boolean lastWriteWins;

  @Option(
      names = "--save",
      paramLabel = "FILE",
      description =
          "Adds cells to this file before they are removed or replaced, in the format of"
              + " load-cells.")
  @Nullable Path save;

  @Option(
      names = "--resume",
      paramLabel = "FILE",
      description =
          "Keeps the progress and the counts of the run in this file, and continues from there"
              + " if the file exists. The file is deleted when the run is complete.")
  @Nullable Path resume;

  @Mixin Threads threads = new Threads();

  @Option(
      names = "--places",
      paramLabel = "N",
      description = "Number of places shown for each kind. Default: 10.")
  int places = 10;

  @Option(names = "--skip-unreadable", description = LostRows.DESCRIPTION)
  boolean skipUnreadable;

  @Option(names = "--sync", hidden = true, description = "OpenTSDB's; repairs are always written.")
  boolean sync;

  @Option(names = "--json", description = "Shows the report as JSON.")
  boolean json;

  @Option(
      names = "--progress",
      negatable = true,
      description = "Shows a progress bar. Default: only on a terminal.")
  @Nullable Boolean progress;

  @Parameters(hidden = true)
  List<String> words = new ArrayList<>();

  @Override
  public void addOptions() {
    for (FsckAction action : FsckAction.values()) {
      spec.addOption(
          OptionSpec.builder(action.option())
              .type(boolean.class)
              .description(action.description())
              .build());
    }
  }

  @Override
  public boolean isJob() {
    if (save != null || resume != null || skipUnreadable) {
      throw new UsageException(
          "a daemon writes no files for clients: --save, --resume and --skip-unreadable are for"
              + " the command line, while no process has the store open");
    }
    return true;
  }

  @Override
  protected void check() {
    if (fullScan != words.isEmpty()) {
      throw new UsageException(
          fullScan
              ? "--full-scan takes no START and no expression"
              : "no rows selected: give --full-scan, or START [END] EXPRESSION…");
    }
    if (save != null && !isFix()) {
      throw new UsageException("--save requires --fix or --fix-all: nothing else changes cells");
    }
    threads.count(1);
    queries();
  }

  private List<Query> queries() {
    return fullScan ? List.of() : QueryWords.parse(words, session());
  }

  @Override
  protected boolean run() {
    int threadCount = threads.count(1);
    List<Query> queries = queries();
    FsckPlaces found = new FsckPlaces(places);
    FsckReport report;
    LostRows lost = skipUnreadable ? session().store().skipUnreadable() : null;
    CheckpointFile resumed = new CheckpointFile("--resume", resume, identity(), lost);
    String checkpoint = resumed.read();
    try (Tsdb db = isFix() ? session().store().openExisting() : session().store().openToRead();
        SavedCells saved = new SavedCells(save);
        Progress shown = Progress.of(session(), progress)) {
      FsckRun run = new FsckRun(shown, resumed, found, saved, this::endIfStopped);
      session().ending().whenStopped(() -> "hourstone: " + stopped());
      session().ending().endsWhenStopped();
      Admin admin = Admin.of(db);
      if (resume != null) {
        resumed.checkStore(session().settings().storeUri(), admin.storeIdentity());
      }
      report = check(admin, admin.fsck(options(admin, threadCount), run), queries, checkpoint);
      run.finish(report.rows());
    } catch (CheckpointException e) {
      throw resumed.corrupt(String.valueOf(e.getMessage()), e);
    }
    resumed.delete();
    int ranges = lost == null ? 0 : lost.ranges().size();
    FsckView view = new FsckView(out(), isFix());
    if (json) {
      view.json(report, found, ranges);
    } else {
      view.text(report, found, ranges);
    }
    return report.errorsLeft() == 0 && ranges == 0;
  }

  private boolean isFix() {
    return fix || fixAll;
  }

  /** Everything that a run which continues must have in common with the previous one. */
  private String identity() {
    TsdbOptions options = session().settings().options();
    return "fsck %s %s %s%s%s %s in %s %s %s"
        .formatted(
            session().settings().storeUri(),
            fullScan ? "--full-scan" : words,
            isFix() ? "--fix" : "--no-fix",
            lastWriteWins ? " --last-write-wins" : "",
            skipUnreadable ? " --skip-unreadable" : "",
            permitted(),
            options.timeZone(),
            options.schema(),
            options.tables());
  }

  private String stopped() {
    return "stopped; "
        + (resume == null
            ? "without --resume FILE the next run starts at the beginning"
            : "to continue: repeat the command");
  }

  /** Rows that are being checked are completed, so that the checkpoint is exact. */
  private void endIfStopped() {
    if (session().ending().isStopped()) {
      throw new CommandException(stopped());
    }
  }

  private FsckOptions options(Admin admin, int threadCount) {
    Keep keep = admin.keptDuplicate();
    return new FsckOptions(
        isFix(),
        permitted(),
        lastWriteWins && keep == Keep.OLDEST ? Keep.NEWEST : keep,
        threadCount);
  }

  private FsckReport check(
      Admin admin, Fsck fsck, List<Query> queries, @Nullable String checkpoint) {
    if (fullScan) {
      return fsck.fullScan(checkpoint);
    }
    List<RowSelection> selections = queries.stream().map(admin::select).toList();
    List<Scan> scans = selections.stream().flatMap(chosen -> chosen.scans().stream()).toList();
    return fsck.check(
        scans,
        key -> selections.stream().anyMatch(chosen -> chosen.passes().test(key)),
        checkpoint);
  }

  /** The actions whose options are given. */
  private Set<FsckAction> permitted() {
    ParseResult given = spec.commandLine().getParseResult();
    Set<FsckAction> actions = EnumSet.noneOf(FsckAction.class);
    for (FsckAction action : FsckAction.values()) {
      if (given.hasMatchedOption(action.option()) || (fixAll && action.isRepair())) {
        actions.add(action);
      }
    }
    return actions;
  }
}
