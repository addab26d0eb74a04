package org.hourstone.tsd;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
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
          + " spaces. Timestamps are seconds or milliseconds since 1970, in any order; if two"
          + " points of a series share a timestamp, the last one is read.",
      "",
      "When standard error is not a terminal, the import reports on it periodically up to which"
          + " line a file is stored, except for lines reported as rejected: after a crash the"
          + " import can continue from there.",
      "",
      "The exit status is 0 only if every line of every file is stored."
    },
    footer = {
      "  hourstone import metrics.txt more.txt.gz",
      "  zcat metrics.txt.gz | tail -n +100001 | hourstone import -",
      "  hourstone --store rocksdb:/var/lib/hourstone import --skip-errors metrics.txt"
    })
final class ImportCommand implements Callable<Integer> {
  private final Session session;

  @Option(
      names = "--skip-errors",
      description = "Continues after a rejected line, and after a file that can't be read.")
  boolean skipErrors;

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

  ImportCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    ImportProgress shown = new ImportProgress(Progress.of(session, progress), skipErrors);
    try (ImportRun run = new ImportRun(session, this::open, skipErrors, shown)) {
      for (String file : files) {
        if (!run.add(file)) {
          break;
        }
      }
      return run.finish() ? ExitCode.OK : ExitCode.FAILED;
    }
  }

  private Tsdb open() {
    TsdbOptions options = session.options();
    return session.open(autoMetric ? options.with(Settings.AUTO_CREATE_METRICS, "true") : options);
  }
}
