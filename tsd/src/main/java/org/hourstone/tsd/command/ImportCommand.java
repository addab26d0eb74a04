package org.hourstone.tsd.command;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.api.prometheus.Exposition;
import org.hourstone.api.prometheus.ImportedSamples;
import org.hourstone.api.put.ImportedJson;
import org.hourstone.api.put.ImportedText;
import org.hourstone.kv.StoreException;
import org.hourstone.tool.Admin;
import org.hourstone.tsd.session.CommandException;
import org.hourstone.tsd.session.DaemonClient;
import org.hourstone.tsd.session.Progress;
import org.hourstone.tsd.session.SessionCommand;
import org.hourstone.tsd.session.UsageException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code import}. */
@Command(
    name = "import",
    description = {
      "Stores the points of files.",
      "",
      "Each line is a point: metric, timestamp, value and one or more tags, separated by single"
          + " spaces. Timestamps are seconds or milliseconds since 1970 or like"
          + " 2024-01-31T10:30:00Z, in any order; if two points of a series share a timestamp, the"
          + " last one is read. Empty lines and lines that begin with # are skipped.",
      "",
      "With --csv the first line names the columns: metric, timestamp (or time, or date), value;"
          + " each other one is a tag.",
      "",
      "With --json each line is an object as /api/export writes it with format=json. Annotations"
          + " and histograms are skipped, and counted on standard error.",
      "",
      "With --prometheus or --openmetrics each line is a sample; names are escaped as those of"
          + " remote write. Values that are not finite, and exemplars, are skipped, and counted on"
          + " standard error.",
      "",
      "When standard error is not a terminal, the import reports on it periodically up to which"
          + " line a file is stored, except for lines reported as rejected. If it ends early, also"
          + " by Ctrl-C, it shows how to continue after that line; with --resume the same command"
          + " does.",
      "",
      "If a daemon has the store open, or --server names one, the points are sent to it, with the"
          + " same order, reports and --resume.",
      "",
      "The exit status is 0 only if every line of every file is stored; a file without points is"
          + " no error."
    },
    footer = {
      "  hourstone import metrics.txt more.txt.gz",
      "  hourstone import --rejects rejected.txt --resume state metrics.txt",
      "  hourstone import --csv --metric sys.cpu.user --tag dc=lga cpu.csv",
      "  hourstone import --json export.json.gz",
      "  hourstone --store rocksdb:/var/lib/hourstone import --skip-errors metrics.txt"
    })
public final class ImportCommand extends SessionCommand implements ImportRun.Daemons {
  @Option(
      names = "--skip-errors",
      description = "Continues after a rejected line, and after a file that can't be read.")
  boolean skipErrors;

  @Option(
      names = "--rejects",
      paramLabel = "FILE",
      description =
          "Appends all rejected lines to this file, each after a comment with the reason; the"
              + " others are stored, as with --skip-errors.")
  @Nullable Path rejects;

  @Option(
      names = "--resume",
      paramLabel = "FILE",
      description =
          "Records in this file how much is stored. If it exists, the import continues from"
              + " there; deleted at the end.")
  @Nullable Path resume;

  @Option(names = "--csv", description = "The files are CSV; their first line names the columns.")
  boolean csv;

  @Option(names = "--json", description = "The files are JSON: an object in each line.")
  boolean json;

  @Option(
      names = "--prometheus",
      description =
          "The files are Prometheus' text (version 0.0.4). Samples without a time have that of the"
              + " import.")
  boolean prometheus;

  @Option(
      names = "--openmetrics",
      description = "The files are OpenMetrics' text: as --prometheus, with times in seconds.")
  boolean openMetrics;

  @Option(names = "--metric", paramLabel = "METRIC", description = "CSV: the metric of all lines.")
  @Nullable String metric;

  @Option(names = "--metric-column", paramLabel = "NAME", description = "CSV: instead of metric.")
  @Nullable String metricColumn;

  @Option(names = "--time-column", paramLabel = "NAME", description = "CSV: instead of timestamp.")
  @Nullable String timeColumn;

  @Option(names = "--value-column", paramLabel = "NAME", description = "CSV: instead of value.")
  @Nullable String valueColumn;

  @Option(
      names = "--tag-columns",
      paramLabel = "NAME",
      split = ",",
      description = "CSV: the columns that are tags, separated by commas; others are ignored.")
  List<String> tagColumns = new ArrayList<>();

  @Option(
      names = "--tag",
      paramLabel = "KEY=VALUE",
      description = "CSV: a tag of all lines. May be repeated.")
  List<String> tags = new ArrayList<>();

  @Option(
      names = "--auto-metric",
      description = "Creates new metrics automatically, whatever the settings say.")
  boolean autoMetric;

  @Option(
      names = "--progress",
      negatable = true,
      description = "Shows a progress bar. Default: only on a terminal.")
  @Nullable Boolean progress;

  @Parameters(
      arity = "1..*",
      paramLabel = "FILE",
      description = "Files of lines, decompressed if the name ends in .gz; - for standard input.")
  List<String> files = new ArrayList<>();

  private static final String ITS_OWN =
      "--auto-metric: a daemon creates metrics if its own settings say so";

  private final List<ImportedText> texts = new ArrayList<>();

  @Override
  protected boolean run() {
    CsvFormat.Columns columns =
        new CsvFormat.Columns(
            metric,
            metricColumn,
            timeColumn,
            valueColumn,
            List.copyOf(tagColumns),
            List.copyOf(tags));
    if (!csv && !columns.isDefault()) {
      throw new UsageException("--metric, --tag and --…-column require --csv");
    }
    if (Stream.of(csv, json, prometheus, openMetrics).filter(given -> given).count() > 1) {
      throw new UsageException(
          "of --csv, --json, --prometheus and --openmetrics only one can be given");
    }
    if (rejects != null && resume != null && same(rejects, resume)) {
      throw new UsageException("--rejects and --resume name the same file");
    }
    if (autoMetric && session().global().server() != null) {
      throw new UsageException(ITS_OWN);
    }
    boolean skip = skipErrors || rejects != null;
    ImportPlaces places =
        resume == null ? null : new ImportPlaces(resume, destination(), format(columns));
    try (Rejects rejected =
            rejects == null ? null : new Rejects(rejects, places != null, inputs());
        ImportRun run =
            new ImportRun(
                session(),
                options(),
                options -> open(options, places),
                this,
                skip,
                file -> lineFormat(file, columns, rejected),
                new ImportProgress(
                    session(), Progress.of(session(), isShown()), skip, rejected, places))) {
      session().ending().endsWhenStopped();
      for (int i = 0; i < files.size(); i++) {
        if (!run.add(files.get(i), files.subList(i + 1, files.size()))) {
          break;
        }
      }
      boolean whole = run.finish();
      for (ImportedText text : texts) {
        text.skipped().forEach((what, count) -> session().report(what + " skipped: " + count));
      }
      if (places != null && run.isComplete()) {
        if (rejected != null) {
          rejected.flush(); // may also fail
        }
        places.complete();
      }
      return whole;
    }
  }

  private Tsdb open(TsdbOptions options, @Nullable ImportPlaces places) {
    Tsdb db = session().store().open(options);
    try {
      if (places != null) {
        places.checkStore(Admin.of(db).storeIdentity());
      }
      return db;
    } catch (RuntimeException e) {
      try (db) {
        throw e;
      }
    }
  }

  @Override
  public boolean takesServer() {
    return true;
  }

  @Override
  public @Nullable DaemonClient given() {
    String server = session().global().server();
    return server == null ? null : new DaemonClient(session(), server);
  }

  @Override
  public DaemonClient ofStore(StoreException inUse) {
    DaemonClient daemon = DaemonClient.ofStore(session(), inUse);
    if (autoMetric) {
      throw new CommandException(inUse.getMessage() + "; " + ITS_OWN);
    }
    daemon.checkFollows(session().global().unfollowed(true));
    session()
        .report("the store is in use: " + daemon.url() + " stores the points, by its own settings");
    return daemon;
  }

  /** Where the points are stored, without an account. */
  private String destination() {
    DaemonClient server = given();
    return server == null ? session().settings().storeUri() : server.url();
  }

  private UnaryOperator<String> lineFormat(
      String file, CsvFormat.Columns columns, @Nullable Rejects rejected) {
    if (csv) {
      return new CsvFormat(file, columns, rejected == null ? line -> {} : rejected::columns);
    }
    ImportedText text = text();
    if (text != null) {
      texts.add(text);
    }
    return text == null ? UnaryOperator.identity() : text;
  }

  /** The format of the files, unless they are lines or CSV. */
  private @Nullable ImportedText text() {
    if (json) {
      return new ImportedJson(options().nameRules(), options().timeZone());
    }
    Exposition form = openMetrics ? Exposition.OPENMETRICS : Exposition.PROMETHEUS;
    return prometheus || openMetrics
        ? new ImportedSamples(form, options().nameRules(), session().clock().millis())
        : null;
  }

  /** How lines become points: an import that continues another one must do it in the same way. */
  private String format(CsvFormat.Columns columns) {
    ImportedText text = text();
    return csv ? " --csv " + columns : text == null ? "" : " --" + text.option();
  }

  /** False by default while lines are typed, since progress would be written among them. */
  private @Nullable Boolean isShown() {
    boolean typed = session().inIsTerminal() && files.contains(ImportInput.STANDARD_INPUT);
    if (progress == null && typed) {
      return false;
    }
    return progress;
  }

  private static boolean same(Path a, Path b) {
    return a.toAbsolutePath().normalize().equals(b.toAbsolutePath().normalize());
  }

  private List<String> inputs() {
    return files.stream().filter(file -> !file.equals(ImportInput.STANDARD_INPUT)).toList();
  }

  private TsdbOptions options() {
    TsdbOptions options = ImportRun.options(session().settings().options());
    return autoMetric ? options.with(Settings.AUTO_CREATE_METRICS, "true") : options;
  }
}
