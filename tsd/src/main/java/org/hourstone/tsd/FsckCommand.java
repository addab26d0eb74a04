package org.hourstone.tsd;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.hourstone.Tsdb;
import org.hourstone.kv.Scan;
import org.hourstone.query.Query;
import org.hourstone.query.RowSelection;
import org.hourstone.rewrite.Keep;
import org.hourstone.tool.Admin;
import org.hourstone.tool.Fsck;
import org.hourstone.tool.FsckAction;
import org.hourstone.tool.FsckListener;
import org.hourstone.tool.FsckOptions;
import org.hourstone.tool.FsckReport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

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
      "START, END and EXPRESSION are those of query; they select the rows to check.",
      "",
      "The exit status is 0 only if no error is left."
    },
    footer = {
      "  hourstone fsck --full-scan",
      "  hourstone fsck --full-scan --fix --resolve-duplicates --save removed.jsonl",
      "  hourstone fsck --fix-all 1d-ago 'sum:sys.cpu.user{host=web01}'"
    })
final class FsckCommand implements Callable<Integer> {
  private final Session session;

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
      names = "--compact",
      description = "Writes the points of each row into one cell, integers in their shortest form.")
  boolean compact;

  @Option(
      names = "--resolve-duplicates",
      description =
          "Of different values with the same timestamp keeps the one that queries return; if"
              + " they return none (tsd.storage.fix_duplicates off), the oldest.")
  boolean resolveDuplicates;

  @Option(names = "--last-write-wins", description = "Keeps the newest one instead.")
  boolean lastWriteWins;

  @Option(
      names = "--salvage",
      description = "Keeps the points of corrupt cells that precede the corruption.")
  boolean salvage;

  @Option(names = "--delete-bad-values", description = "Deletes values that are not numbers.")
  boolean deleteBadValues;

  @Option(
      names = "--delete-bad-compacts",
      description = "Deletes cells that can't be divided into their points.")
  boolean deleteBadCompacts;

  @Option(names = "--delete-unknown-columns", description = "Deletes columns that no reader knows.")
  boolean deleteUnknownColumns;

  @Option(names = "--delete-orphans", description = "Deletes rows with a UID that has no name.")
  boolean deleteOrphans;

  @Option(
      names = "--delete-bad-rows",
      description = "Deletes rows whose key can't be that of a series.")
  boolean deleteBadRows;

  @Option(
      names = "--delete-most-rows",
      description =
          "Continues even if most of the first rows would be deleted. Check the settings first:"
              + " with wrong UID widths or a wrong salt this applies to every row.")
  boolean deleteMostRows;

  @Option(
      names = "--move-most-rows",
      description =
          "Continues even if many of the rows checked first would be moved, which is correct"
              + " after the number of salt buckets was changed.")
  boolean moveMostRows;

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
          "Keeps the progress of the run in this file, and continues from there if the file"
              + " exists. The file is deleted when the run is complete.")
  @Nullable Path resume;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "Number of threads. Default: the number of processors.")
  @Nullable Integer threads;

  @Option(
      names = "--places",
      paramLabel = "N",
      description = "Number of places shown for each kind. Default: 10.")
  int places = 10;

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

  FsckCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    if (fullScan != words.isEmpty()) {
      throw new UsageException(
          fullScan
              ? "--full-scan takes no START and no expression"
              : "no rows selected: give --full-scan, or START [END] EXPRESSION…");
    }
    if (threads != null && threads < 1) {
      throw new UsageException("--threads " + threads + ": must be at least 1");
    }
    List<Query> queries = fullScan ? List.of() : QueryWords.parse(words, session);
    FsckPlaces found = new FsckPlaces(places);
    FsckReport report;
    ResumeFile resumeFile = new ResumeFile(resume);
    try (Tsdb db = session.openExisting();
        SavedCells saved = new SavedCells(save);
        Progress shown = Progress.of(session, progress)) {
      shown.start("fsck");
      report = run(db, queries, new FsckRun(found, saved, shown, resumeFile), resumeFile.read());
      shown.finish(report.rows());
    }
    resumeFile.delete();
    FsckView view = new FsckView(session.out(), isFix());
    if (json) {
      view.json(report, found);
    } else {
      view.text(report, found);
    }
    return report.errorsLeft() == 0 ? ExitCode.OK : ExitCode.FAILED;
  }

  private boolean isFix() {
    return fix || fixAll;
  }

  private FsckReport run(Tsdb db, List<Query> queries, FsckListener listener, byte[] from) {
    Keep keep = db.engine().keptDuplicate();
    FsckOptions how =
        new FsckOptions(
            isFix(),
            permitted(),
            lastWriteWins && keep == Keep.OLDEST ? Keep.NEWEST : keep,
            threads == null ? Runtime.getRuntime().availableProcessors() : threads);
    Fsck fsck = Admin.of(db).fsck(how, listener);
    if (fullScan) {
      return fsck.fullScan(from);
    }
    List<RowSelection> selections = queries.stream().map(db.engine().queries()::select).toList();
    List<Scan> scans = selections.stream().flatMap(chosen -> chosen.scans().stream()).toList();
    return fsck.check(
        scans, key -> selections.stream().anyMatch(chosen -> chosen.passes().test(key)), from);
  }

  private Set<FsckAction> permitted() {
    Set<FsckAction> actions = EnumSet.noneOf(FsckAction.class);
    permit(actions, FsckAction.COMPACT, compact || fixAll);
    permit(actions, FsckAction.RESOLVE_DUPLICATES, resolveDuplicates || fixAll);
    permit(actions, FsckAction.SALVAGE, salvage || fixAll);
    permit(actions, FsckAction.DELETE_BAD_VALUES, deleteBadValues || fixAll);
    permit(actions, FsckAction.DELETE_BAD_COMPACTS, deleteBadCompacts || fixAll);
    permit(actions, FsckAction.DELETE_UNKNOWN_COLUMNS, deleteUnknownColumns || fixAll);
    permit(actions, FsckAction.DELETE_ORPHANS, deleteOrphans || fixAll);
    permit(actions, FsckAction.DELETE_BAD_ROWS, deleteBadRows || fixAll);
    permit(actions, FsckAction.DELETE_MOST_ROWS, deleteMostRows);
    permit(actions, FsckAction.MOVE_MOST_ROWS, moveMostRows);
    return actions;
  }

  private static void permit(Set<FsckAction> actions, FsckAction action, boolean permitted) {
    if (permitted) {
      actions.add(action);
    }
  }
}
