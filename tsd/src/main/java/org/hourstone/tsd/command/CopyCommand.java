package org.hourstone.tsd.command;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.query.Query;
import org.hourstone.table.CheckpointException;
import org.hourstone.tool.Admin;
import org.hourstone.tool.CopyOptions;
import org.hourstone.tool.CopyOptions.Policy;
import org.hourstone.tool.CopyReport;
import org.hourstone.tool.CopyScope;
import org.hourstone.tsd.session.CommandException;
import org.hourstone.tsd.session.LostRows;
import org.hourstone.tsd.session.Progress;
import org.hourstone.tsd.session.SessionCommand;
import org.hourstone.tsd.session.Threads;
import org.hourstone.tsd.session.UsageException;
import org.hourstone.uid.UidKind;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code copy}. */
@Command(
    name = "copy",
    description = {
      "Copies cells verbatim from one store to another: all tables, or the rows of a metric and"
          + " a time range with the names, UIDs and metadata they need. Copied cells are read"
          + " back and compared.",
      "",
      "It may be interrupted at any time and run again: cells that are already there are not put"
          + " again. With --resume it continues where it ended.",
      "",
      "With --since it copies only what was written since the last copy that was completed with"
          + " the same file: all the first time, and then as often as needed.",
      "",
      "Nothing is copied if a name or UID of one store contradicts the other's. Any other cell"
          + " with a different value in the target is reported and stays unless --update or"
          + " --overwrite is given; then the exit status is 1."
    },
    footer = {
      "  hourstone copy hbase://zk1/hbase rocksdb:./copy --resume copy.state",
      "  hourstone copy hbase://zk1/hbase rocksdb:./copy --since copy.time",
      "  hourstone copy hbase://zk1/hbase rocksdb:./copy --metric load --start 7d-ago",
      "  hourstone copy rocksdb:./copy hbase://zk1/hbase --verify-only"
    })
public final class CopyCommand extends SessionCommand {
  /** More than processors if there are few: each thread waits for its batch most of the time. */
  private static final int LEAST_THREADS = 4;

  /** By how much the clocks of the processes that write to FROM may differ from this one's. */
  private static final Duration CLOCKS_DIFFER = Duration.ofMinutes(5);

  @Option(
      names = "--metric",
      paramLabel = "METRIC",
      description =
          "Only rows of this metric. Tags may follow as in a query: METRIC{TAG=FILTER,…}. May be"
              + " repeated.")
  List<String> metrics = new ArrayList<>();

  @Option(
      names = "--start",
      paramLabel = "TIME",
      description = "Only rows from the hour of this time; TIME as for query.")
  @Nullable String start;

  @Option(
      names = "--end",
      paramLabel = "TIME",
      description = "Only rows up to the hour of this time.")
  @Nullable String end;

  @ArgGroup @Nullable Existing existing;

  @Option(
      names = "--resume",
      paramLabel = "FILE",
      description =
          "Keeps the progress of the copy in this file, and continues from there if the file"
              + " exists. The file is deleted when the copy is complete.")
  @Nullable Path resume;

  @Option(
      names = "--since",
      paramLabel = "FILE",
      description =
          "Copies the cells that were written since the last complete copy with this file, and all"
              + " if there is no such file; as --update. Their write times count, and five minutes"
              + " are allowed for clocks that differ. The time stays after a copy whose exit status"
              + " is not 0. What was deleted in FROM stays in TO.")
  @Nullable Path since;

  @Option(names = "--skip-unreadable", description = LostRows.DESCRIPTION)
  boolean skipUnreadable;

  @Mixin Threads threads = new Threads();

  @Option(
      names = "--progress",
      negatable = true,
      description = "Shows a progress bar. Default: only on a terminal.")
  @Nullable Boolean progress;

  @Parameters(index = "0", paramLabel = "FROM", description = "The store's URI to copy from.")
  String from = "";

  @Parameters(index = "1", paramLabel = "TO", description = "The store's URI to copy to.")
  String to = "";

  /** The rule for cells of the target. */
  static final class Existing {
    @Option(
        names = "--update",
        description = "If the two values of a cell differ, the one written later is kept.")
    boolean update;

    @Option(
        names = "--overwrite",
        description = "Cells of FROM replace those of TO that differ in value or write time.")
    boolean overwrite;

    @Option(names = "--verify-only", description = "Only compares; nothing is written.")
    boolean verifyOnly;
  }

  @Override
  public String whenInUse() {
    return "stop it first; points can be sent to a daemon by scan --import and import --server URL";
  }

  @Override
  protected boolean run() {
    Instant started = session().clock().instant();
    CheckpointFile copied = new CheckpointFile("--since", since, "copy --since " + stores(), null);
    Times times = Times.read(copied);
    CopyOptions how = how(times);
    LostRows lost = skipUnreadable ? session().store().skipUnreadable() : null;
    CheckpointFile resumed =
        new CheckpointFile("--resume", resume, "copy " + rules(times) + stores(), lost);
    String checkpoint = resumed.read();
    if (checkpoint == null && times.begun() == null) {
      times = new Times(times.last(), started);
    } // else one has begun before; when is unknown if the file of --since was removed
    CopyReport report;
    CopyRun run;
    boolean leavesRollups;
    boolean hasMetrics;
    try (Tsdb source = session().store().openToRead(from)) {
      CopyScope scope = scope(source);
      try (Tsdb target =
              how.verifyOnly() ? session().store().openToRead(to) : session().store().open(to);
          Progress shown = Progress.of(session(), progress)) {
        checkIsThere(target, times);
        if (since != null || resume != null) {
          checkStores(source, target, List.of(copied, resumed));
        }
        copied.write(times.text());
        run = new CopyRun(shown, resumed);
        session().ending().whenStopped(() -> stopped(how));
        report = Admin.of(source).copyTo(target, scope, how, run).run(checkpoint);
        run.finish(report.total().rows());
        leavesRollups = Admin.of(source).leavesRollups();
        hasMetrics = hasMetrics(source);
      } catch (CheckpointException e) {
        throw resumed.corrupt(String.valueOf(e.getMessage()), e);
      }
    }
    // The report includes the findings of interrupted runs.
    boolean isComplete =
        run.differences() == 0
            && report.total().differing() == 0
            && (lost == null || lost.isEmpty());
    boolean isMoved = isComplete && times.begun() != null && hasMetrics;
    // An incomplete one has begun: a copy that it has interrupted may go on.
    copied.write(
        (isMoved ? new Times(times.begun(), null) : new Times(times.last(), times.begun())).text());
    resumed.delete();
    Duration took = Duration.between(started, session().clock().instant());
    new CopyView(out(), how.verifyOnly())
        .show(report, run, lost == null ? 0 : lost.ranges().size(), took);
    if (leavesRollups) {
      out()
          .line(
              "not copied: rollups that "
                  + from
                  + " has computed; "
                  + to
                  + " computes its own if hourstone.rollups.auto is set, from the points that"
                  + " are left; a backup has everything");
    }
    if (since != null && !isMoved) {
      out().line("the time in " + since + " stays: the next copy begins where this one did");
    }
    return isComplete;
  }

  /** A store that was deleted since the last copy would get what was written since, and no more. */
  private void checkIsThere(Tsdb target, Times times) {
    if (times.last() != null && !hasMetrics(target)) {
      throw new CommandException(
          "--since "
              + since
              + ": "
              + to
              + " has no metrics, although it was copied to at "
              + times.last()
              + "; remove the file to copy all");
    }
  }

  private void checkStores(Tsdb source, Tsdb target, List<CheckpointFile> files) {
    String ofSource = Admin.of(source).storeIdentity();
    String ofTarget = Admin.of(target).storeIdentity();
    for (CheckpointFile each : files) {
      each.checkStore(from, ofSource);
      each.checkStore(to, ofTarget);
    }
  }

  private static boolean hasMetrics(Tsdb db) {
    return !db.uids().suggest(UidKind.METRIC, "", 1).isEmpty();
  }

  /** The text that says how to continue. */
  private String stopped(CopyOptions how) {
    if (how.verifyOnly()) {
      return "hourstone: stopped; nothing was written";
    }
    return resume == null
        ? "hourstone: stopped; to continue: repeat the command, which puts only what is missing"
        : "hourstone: stopped; to continue: repeat the command";
  }

  @Override
  protected void check() {
    if (session().settings().givenStore() != null) {
      throw new UsageException("--store is not allowed here: FROM and TO name the stores");
    }
    if (from.equals(to)) {
      throw new UsageException("FROM and TO are the same store: " + from);
    }
    if (metrics.isEmpty() && (start != null || end != null)) {
      throw new UsageException("--start and --end require --metric");
    }
    if (existing != null && existing.verifyOnly && (resume != null || since != null)) {
      throw new UsageException(
          (resume != null ? "--resume" : "--since") + " can't be combined with --verify-only");
    }
    if (since != null && resume != null && isSame(since, resume)) {
      throw new UsageException("--since and --resume need a file each, not both " + since);
    }
    if (since != null && session().settings().options().get(Settings.USE_OTSDB_TIMESTAMP)) {
      throw new UsageException(
          "--since requires the write times of cells; with "
              + Settings.USE_OTSDB_TIMESTAMP.key()
              + " they have the times of points");
    }
  }

  private static boolean isSame(Path a, Path b) {
    return a.toAbsolutePath().normalize().equals(b.toAbsolutePath().normalize());
  }

  private CopyOptions how(Times times) {
    Policy policy =
        existing != null && existing.overwrite
            ? Policy.OVERWRITE
            : since != null || (existing != null && existing.update)
                ? Policy.UPDATE
                : Policy.REFUSE;
    return new CopyOptions(
        policy,
        existing != null && existing.verifyOnly,
        threads.count(LEAST_THREADS),
        times.since());
  }

  /** The options that determine which cells are copied and reported; empty for none. */
  private String rules(Times times) {
    String policy =
        switch (how(times).policy()) {
          case UPDATE -> "--update ";
          case OVERWRITE -> "--overwrite ";
          case REFUSE -> "";
        };
    String first = since == null ? "" : "--since " + times.since() + " ";
    return policy + first + (skipUnreadable ? "--skip-unreadable " : "");
  }

  /** The stores, how they are read, and the rows of the copy. */
  private String stores() {
    TsdbOptions options = session().settings().options();
    String zone = start == null && end == null ? "" : " in " + options.timeZone();
    return "%s %s %s %s %s%s %s %s"
        .formatted(from, to, metrics, start, end, zone, options.schema(), options.tables());
  }

  /**
   * The content of the file of {@code --since}.
   *
   * @param last when the last complete copy began; null if there was none
   * @param begun when the first copy began of those since that are not complete: one that has a
   *     file of {@code --resume} may still be continued; null if all are complete
   */
  private record Times(@Nullable Instant last, @Nullable Instant begun) {
    private static final String NEVER = "-";

    static Times read(CheckpointFile file) {
      String text = file.read();
      if (text == null) {
        return new Times(null, null);
      }
      try {
        String[] words = text.split(" ");
        if (words.length == 2) {
          return new Times(time(words[0]), time(words[1]));
        }
      } catch (DateTimeParseException e) {
        throw file.corrupt("the times in it are corrupt", e);
      }
      throw file.corrupt("it has no two times", null);
    }

    private static @Nullable Instant time(String word) {
      return word.equals(NEVER) ? null : Instant.parse(word);
    }

    String text() {
      return (last == null ? NEVER : last) + " " + (begun == null ? NEVER : begun);
    }

    /** The write time of the first cells to copy. */
    long since() {
      return last == null ? 0 : Math.max(0, last.minus(CLOCKS_DIFFER).toEpochMilli());
    }
  }

  private CopyScope scope(Tsdb source) {
    if (metrics.isEmpty()) {
      return CopyScope.everything();
    }
    long first = session().settings().time("--start", start, 0);
    long last = session().settings().time("--end", end, Long.MAX_VALUE);
    return Admin.of(source)
        .copyScope(
            metrics.stream()
                .map(metric -> Query.parse("none:" + metric).betweenMillis(first, last))
                .toList());
  }
}
