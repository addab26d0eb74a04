package org.hourstone.tsd.command;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.api.put.ImportedText;
import org.hourstone.kv.StoreException;
import org.hourstone.tsd.session.CommandException;
import org.hourstone.tsd.session.DaemonClient;
import org.hourstone.tsd.session.DaemonImport;
import org.hourstone.tsd.session.JobClient;
import org.hourstone.tsd.session.LineImport;
import org.hourstone.tsd.session.RecordFileException;
import org.hourstone.tsd.session.Session;
import org.hourstone.tsd.terminal.Plurals;
import org.hourstone.tsd.terminal.TextOutput;
import org.hourstone.write.ImportException;
import org.hourstone.write.ImportReport;
import org.hourstone.write.LineParser;
import org.hourstone.write.LineSource;
import org.hourstone.write.SingleLine;
import org.jspecify.annotations.Nullable;

/**
 * The import of one file after the other into one database, and its summary. The database is opened
 * when the first file can be read, so that a mistyped name creates no store. For one thread.
 */
final class ImportRun implements AutoCloseable {
  private static final int SHORTEST_MEASURED_MILLIS = 1000;

  private final Session session;
  private final TsdbOptions options;
  private final Function<TsdbOptions, Tsdb> opener;
  private final @Nullable Daemons daemons;
  private final boolean skipErrors;
  private final Function<String, UnaryOperator<String>> format;
  private final ImportProgress progress;
  private @Nullable Tsdb db;
  private @Nullable LineImport importer;
  private Instant started = Instant.MIN;
  private List<String> later = List.of();
  private int files;
  private int failedFiles;
  private boolean storeFailed;
  private boolean complete = true;

  /**
   * @param options of the database
   * @param opener opens the database, which is closed with this
   * @param daemons that may store the points instead; null for none
   * @param skipErrors whether to continue after a rejected line or an unreadable file
   * @param format returns, for the name of a file, the conversion of its lines to import lines
   */
  ImportRun(
      Session session,
      TsdbOptions options,
      Function<TsdbOptions, Tsdb> opener,
      @Nullable Daemons daemons,
      boolean skipErrors,
      Function<String, UnaryOperator<String>> format,
      ImportProgress progress) {
    this.session = session;
    this.options = options;
    this.opener = opener;
    this.daemons = daemons;
    this.skipErrors = skipErrors;
    this.format = format;
    this.progress = progress;
  }

  /**
   * Imports a file, and reports its errors.
   *
   * @param next the files that follow
   * @return whether to continue with the next one
   */
  boolean add(String file, List<String> next) {
    later = next;
    try (ImportInput input = ImportInput.open(file, session.ending().stoppableInput())) {
      return add(input);
    } catch (CommandException e) {
      complete &= skipErrors;
      return failed(e);
    }
  }

  /** As {@link #add(String, List)}, for an open file. */
  boolean add(ImportInput input) {
    LineImport opened;
    try {
      opened = importer();
    } catch (CommandException e) { // of the store, not of this file
      complete = false;
      failed(e);
      return false;
    }
    files++;
    progress.start(input);
    long lines = opened.report().lines();
    long before = progress.storedBefore(input.name());
    UnaryOperator<String> lineFormat = format.apply(input.name());
    try {
      LineSource source =
          lineFormat instanceof CsvFormat || lineFormat instanceof ImportedText
              ? LineSource.of(input.lines(), lineFormat)
              : new LineSource(input.lines()); // read from its bytes
      opened.run(input.name(), source, before);
      if (opened.report().lines() == lines) {
        progress.close();
        session.report(input.name() + ": no points" + (before > 0 ? " after line " + before : ""));
      }
      return true;
    } catch (ImportException | CommandException e) {
      storeFailed = e.getCause() instanceof StoreException;
      boolean ended =
          storeFailed
              || e instanceof RecordFileException
              || session.ending().isStopped()
              || !skipErrors;
      complete &= !ended;
      failed(e);
      if (ended) {
        showPlace(input.name(), lineFormat);
      }
      return !ended;
    } catch (StoreException e) {
      storeFailed = true;
      complete = false;
      failed(e);
      showPlace(input.name(), lineFormat);
      return false;
    } catch (Error e) {
      session.ending().failed(e); // before the database is closed
      throw e;
    } finally {
      progress.close();
    }
  }

  /** Shows how to continue with a file. */
  private void showPlace(String file, UnaryOperator<String> lineFormat) {
    long line = progress.storedUpTo();
    long header = lineFormat instanceof CsvFormat format ? format.headerLine() : 0;
    String rest =
        progress.resumes()
            ? "repeat the command"
            : Continuation.of(
                file, line, header, session.global().words(), "import" + option(lineFormat), later);
    boolean continues = progress.resumes() || line > header;
    session
        .err()
        .println(
            SingleLine.of(
                file
                    + ": stored up to line "
                    + line
                    + (continues ? "; to continue: " + rest : "")));
  }

  /** That which says of what format the files are. */
  private static String option(UnaryOperator<String> lineFormat) {
    if (lineFormat instanceof ImportedText text) {
      return " --" + text.option();
    }
    return lineFormat instanceof CsvFormat ? " --csv" : "";
  }

  /** Whether the import was not ended early by a file. */
  boolean isComplete() {
    return complete;
  }

  private boolean failed(RuntimeException e) {
    failedFiles++;
    progress.close();
    session.report(e);
    return skipErrors;
  }

  private LineImport importer() {
    LineImport known = importer;
    if (known == null) {
      known = newImporter();
      importer = known;
      session.ending().countsStored(known::stored);
      started = session.clock().instant();
    }
    return known;
  }

  private LineImport newImporter() {
    DaemonClient given = daemons == null ? null : daemons.given();
    if (given != null) {
      return through(given);
    }
    try {
      return LineImport.of(database().importer(options.importOptions(skipErrors), progress));
    } catch (StoreException e) {
      if (daemons == null || !JobClient.isInUse(e)) {
        throw e;
      }
      return through(daemons.ofStore(e));
    }
  }

  private LineImport through(DaemonClient daemon) {
    return new DaemonImport(
        daemon,
        new LineParser(options.lineDialect(), options.timeZone()),
        options.importOptions(skipErrors),
        progress);
  }

  /** The daemons that may store the points. */
  interface Daemons {
    /** The one that was given; null if none was. */
    @Nullable DaemonClient given();

    /**
     * The one that has the store open.
     *
     * @throws CommandException if no daemon is found
     */
    DaemonClient ofStore(StoreException inUse);
  }

  /**
   * Settings for an import: unless a setting specifies otherwise, points are acknowledged when
   * their rows are stored, without a journal. Most imported rows are whole.
   */
  static TsdbOptions options(TsdbOptions given) {
    return given.get(Settings.HEAD).isPresent() ? given : given.with(Settings.HEAD, "false");
  }

  /** The database, open until this is closed. */
  Tsdb database() {
    Tsdb opened = db;
    if (opened == null) {
      opened = opener.apply(options);
      db = opened;
    }
    return opened;
  }

  /**
   * Shows the summary.
   *
   * @return whether every line of every file is stored
   */
  boolean finish() {
    boolean accepted = failedFiles == 0 && !progress.hasRejectedBefore();
    if (progress.hasRejectedBefore()) {
      session.report("the interrupted import that this one continues has rejected lines");
    }
    if (importer == null) {
      return accepted;
    }
    ImportReport report = importer.report();
    if (report.lines() > 0) {
      summarize(report);
    }
    if (progress.hasUnknownMetric()) {
      session.report(
          "the settings forbid that points create metrics ("
              + Settings.AUTO_CREATE_METRICS.key()
              + "): create them with --auto-metric, or with the command mkmetric");
    }
    return accepted && report.rejected() == 0;
  }

  private void summarize(ImportReport report) {
    Duration took = Duration.between(started, session.clock().instant());
    TextOutput out = session.out();
    out.line(
        Plurals.count(report.stored(), "point")
            + " stored from "
            + Plurals.count(files, "file")
            + " in "
            + Plurals.seconds(took)
            + rate(report.stored(), took));
    long rejected = report.rejected() - progress.failures();
    if (rejected > 0) {
      out.line(
          Plurals.count(rejected, "line")
              + " rejected"
              + (skipErrors && rejected > ImportProgress.REJECTIONS_SHOWN
                  ? "; the first " + ImportProgress.REJECTIONS_SHOWN + " are shown above"
                  : ""));
    }
    if (progress.failures() > 0) {
      out.line(Plurals.count(progress.failures(), "line") + " not stored: the store failed");
    }
    if (report.repeated() > 0) {
      out.line(
          Plurals.count(
                  report.repeated(),
                  "point repeats a timestamp of its series",
                  "points repeat a timestamp of their series")
              + ": the last one is read");
    }
    if (report.corruptRows() > 0) {
      out.line(
          Plurals.count(report.corruptRows(), "row")
              + " could not be searched for repeats because of corruption; the new points are"
              + " stored");
    }
  }

  private static String rate(long points, Duration took) {
    long millis = took.toMillis();
    return millis < SHORTEST_MEASURED_MILLIS
        ? ""
        : " (" + Plurals.count(points * 1000 / millis, "point") + "/s)";
  }

  @Override
  public void close() {
    progress.close();
    if (db == null) {
      return;
    }
    try {
      db.close();
    } catch (StoreException e) {
      if (!storeFailed) {
        throw e;
      }
      // Otherwise it was already reported when the store failed.
    }
  }
}
