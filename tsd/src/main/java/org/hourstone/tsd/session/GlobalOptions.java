package org.hourstone.tsd.session;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.hourstone.DaemonSettings;
import org.hourstone.QuerySettings;
import org.hourstone.Settings;
import org.hourstone.tsd.terminal.ShellWord;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The options of the program: they apply to all commands, before or after their names. */
public abstract class GlobalOptions {
  static final String DEFAULT_STORE = "rocksdb:./data";

  /** The settings that lead to a store, and to the daemon that has it open. */
  private static final Set<String> LEADING =
      Set.of(
          Settings.STORE.key(),
          DaemonSettings.BIND.key(),
          DaemonSettings.PORT.key(),
          DaemonSettings.TLS_CERTIFICATE.key());

  @Nullable String store;
  @Nullable Path config;
  final List<String> set = new ArrayList<>();
  @Nullable String timeZone;
  @Nullable String server;
  boolean openTsdbDefaults;
  boolean debug;

  // Each command has these options, too, hidden. Picocli calls the methods with null if an option
  // is
  // not given there.

  @Option(
      names = "--store",
      order = 0,
      paramLabel = "URI",
      hidden = true,
      scope = ScopeType.INHERIT,
      description = {
        "Location of the data; " + DEFAULT_STORE + " by default.",
        "  rocksdb:DIRECTORY",
        "  hbase://QUORUM/NODE",
        "  memory:NAME"
      })
  void store(@Nullable String uri) {
    store = uri == null ? store : uri;
  }

  @Option(
      names = "--config",
      order = 1,
      paramLabel = "FILE",
      hidden = true,
      scope = ScopeType.INHERIT,
      description = "Settings file, in the format of opentsdb.conf.")
  void config(@Nullable Path file) {
    config = file == null ? config : file;
  }

  @Option(
      names = "--set",
      order = 2,
      paramLabel = "KEY=VALUE",
      hidden = true,
      scope = ScopeType.INHERIT,
      description = "One setting; overrides the file's. May be repeated.")
  void set(@Nullable List<String> settings) {
    if (settings != null) {
      set.addAll(settings); // repeated for each, in this order: the last one takes effect
    }
  }

  @Option(
      names = "--timezone",
      order = 3,
      paramLabel = "ZONE",
      hidden = true,
      scope = ScopeType.INHERIT,
      description =
          "Zone of dates, calendar days and the times shown, such as Europe/Berlin, UTC or +01:00.")
  void timeZone(@Nullable String zone) {
    timeZone = zone == null ? timeZone : zone;
  }

  @Option(
      names = "--server",
      order = 4,
      paramLabel = "URL",
      hidden = true,
      scope = ScopeType.INHERIT,
      description =
          "The daemon that is to execute the command over its own store, such as"
              + " http://db1:4242.")
  void server(@Nullable String url) {
    server = url == null ? server : url;
  }

  @Option(
      names = "--opentsdb-defaults",
      order = 5,
      hidden = true,
      scope = ScopeType.INHERIT,
      description =
          "Settings that aren't given have the defaults of OpenTSDB 2.4, including its"
              + " quirks.")
  void openTsdbDefaults(@Nullable Boolean given) {
    openTsdbDefaults |= given != null && given;
  }

  @Option(
      names = "--debug",
      order = 6,
      hidden = true,
      scope = ScopeType.INHERIT,
      description = "Shows errors with their stack trace.")
  void debug(@Nullable Boolean given) {
    debug |= given != null && given;
  }

  // OpenTSDB's names of settings.

  @Option(names = "--table", hidden = true, scope = ScopeType.INHERIT)
  void table(@Nullable String table) {
    set(Settings.DATA_TABLE.key(), table);
  }

  @Option(names = "--uidtable", hidden = true, scope = ScopeType.INHERIT)
  void uidTable(@Nullable String table) {
    set(Settings.UID_TABLE.key(), table);
  }

  @Option(names = "--zkquorum", hidden = true, scope = ScopeType.INHERIT)
  void zkQuorum(@Nullable String quorum) {
    set(OpenTsdbKeys.ZK_QUORUM, quorum);
  }

  @Option(names = "--zkbasedir", hidden = true, scope = ScopeType.INHERIT)
  void zkBaseDir(@Nullable String node) {
    set(OpenTsdbKeys.ZK_BASEDIR, node);
  }

  @Option(
      names = {"-v", "--verbose"},
      hidden = true,
      scope = ScopeType.INHERIT)
  void verbose(@Nullable Boolean given) {
    // There is nothing more to show.
  }

  /** The daemon that was given; null if none was. */
  public @Nullable String server() {
    return server;
  }

  /** Those that were given, as words of the shell, each after a blank. */
  public String words() {
    StringBuilder words = new StringBuilder();
    add(words, "--store", store);
    add(words, "--config", config == null ? null : config.toString());
    set.forEach(each -> add(words, "--set", each));
    add(words, "--timezone", timeZone);
    add(words, "--server", server == null ? null : ServerUrl.of("--server", server).base());
    return words + (openTsdbDefaults ? " --opentsdb-defaults" : "");
  }

  private static void add(StringBuilder words, String option, @Nullable String value) {
    if (value != null) {
      words.append(' ').append(option).append(' ').append(ShellWord.of(value));
    }
  }

  /** Whether one is given that a daemon can't follow, since it has its own store and settings. */
  public boolean hasOwnSettings() {
    return store != null
        || config != null
        || !set.isEmpty()
        || timeZone != null
        || openTsdbDefaults;
  }

  /**
   * The first option that says how a command works, and that a daemon which has the command's store
   * open does not follow; null if none is given. Those that lead to the store and to the daemon are
   * followed: {@code --store}, {@code --config}, and settings of the daemon's address.
   *
   * @param readsDates whether the dates of the command are read here, not by the daemon
   */
  public @Nullable String unfollowed(boolean readsDates) {
    if (openTsdbDefaults) {
      return "--opentsdb-defaults";
    }
    if (timeZone != null && !readsDates) {
      return "--timezone";
    }
    return set.stream()
        .filter(each -> !LEADING.contains(key(each)))
        .filter(each -> !(readsDates && key(each).equals(QuerySettings.TIMEZONE.key())))
        .findFirst()
        .map(each -> "--set " + each)
        .orElse(null);
  }

  private static String key(String set) {
    int equals = set.indexOf('=');
    return equals < 0 ? set : set.substring(0, equals).strip();
  }

  private void set(String key, @Nullable String value) {
    if (value != null) {
      set.add(key + "=" + value);
    }
  }

  /**
   * Shows the options, except those of OpenTSDB, in the help of the program instead of that of each
   * command.
   */
  public static void showIn(CommandSpec root) {
    for (OptionSpec option : List.copyOf(root.options())) {
      if (option.hidden() && option.description().length > 0) {
        root.remove(option);
        root.addOption(option.toBuilder().hidden(false).scopeType(ScopeType.LOCAL).build());
      }
    }
  }
}
