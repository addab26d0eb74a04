package org.hourstone.tsd;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The top-level command: its options apply to all commands. */
@Command(
    name = "hourstone",
    scope = ScopeType.INHERIT,
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    usageHelpAutoWidth = true,
    sortOptions = false,
    descriptionHeading = "%n",
    parameterListHeading = "%n",
    optionListHeading = "%nOptions:%n",
    commandListHeading = "%nCommands:%n",
    footerHeading = "%nExamples:%n",
    description = "A time-series database in OpenTSDB's storage format.",
    footer = {
      "  hourstone demo",
      "  hourstone --store rocksdb:/var/lib/hourstone import metrics.txt.gz",
      "  hourstone --config opentsdb.conf query 1d-ago 'sum:my.metric'",
      "  hourstone query --help"
    })
final class GlobalOptions {
  static final String DEFAULT_STORE = "rocksdb:./data";

  @Option(
      names = "--store",
      paramLabel = "URI",
      description = {
        "Location of the data: rocksdb:DIRECTORY, hbase://QUORUM/NODE, memory:NAME. Default: "
            + DEFAULT_STORE
            + "."
      })
  @Nullable String store;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "Settings file, in the format of opentsdb.conf.")
  @Nullable Path config;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "One setting; overrides the file's. May be repeated.")
  List<String> set = new ArrayList<>();

  @Option(
      names = "--opentsdb-defaults",
      description =
          "Settings that aren't given have the defaults of OpenTSDB 2.4, including its"
              + " quirks.")
  boolean openTsdbDefaults;

  @Option(names = "--debug", description = "Shows errors with their stack trace.")
  boolean debug;

  /** The store's URI. */
  String storeUri() {
    return store == null ? DEFAULT_STORE : store;
  }
}
