package org.hourstone.tsd.session;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.hourstone.QuerySettings;
import org.hourstone.Setting;
import org.hourstone.Settings;
import org.hourstone.TsdbOptions;
import org.hourstone.kv.StoreUri;
import org.jspecify.annotations.Nullable;

/**
 * The store and the settings that a command was given, by options, the file, the environment and
 * the defaults. They are read when they are first needed. For one thread.
 */
public final class GivenSettings {
  private final GlobalOptions global;
  private final Map<String, String> environment;
  private final InstantSource clock;
  private final Consumer<String> warnings;
  private SettingSources.@Nullable Loaded loaded;
  private boolean storeShown;
  private boolean isFixed;

  /**
   * The options that changed settings, such as {@code --port 99}, by the setting, such as {@code
   * key=99}.
   */
  private final Map<String, String> options = new HashMap<>();

  GivenSettings(
      GlobalOptions global,
      Map<String, String> environment,
      InstantSource clock,
      Consumer<String> warnings) {
    this.global = global;
    this.environment = environment;
    this.clock = clock;
    this.warnings = warnings;
  }

  /** Settings that were read, for a command that can't change them. */
  GivenSettings(GlobalOptions global, GivenSettings known) {
    this(global, Map.of(), known.clock, known.warnings);
    this.loaded = new SettingSources.Loaded(known.options(), known.storeUri());
    this.isFixed = true;
  }

  /**
   * The store's URI: that of {@code --store} or of the setting, else the HBase cluster of the
   * settings, else the default.
   */
  public String storeUri() {
    String given = isFixed ? null : givenStore();
    if (given != null) {
      return given;
    }
    String named = loaded().store();
    if (named != null && !storeShown && !isFixed) {
      storeShown = true;
      warnings.accept("the store is " + named + ", by " + OpenTsdbKeys.ZK_QUORUM);
    }
    return named == null ? GlobalOptions.DEFAULT_STORE : named;
  }

  /** The store's URI, if given. */
  public @Nullable String givenStore() {
    return global.store == null ? options().get(Settings.STORE).orElse(null) : global.store;
  }

  /** Whether the defaults are OpenTSDB's. */
  public boolean isStrict() {
    return global.openTsdbDefaults;
  }

  /**
   * The settings file, if there is one: the one that an option or the environment names, which must
   * exist; else that of an installed Hourstone, or the first of OpenTSDB's places if Hourstone is
   * not installed.
   */
  public @Nullable Path file() {
    if (global.config != null) {
      return global.config;
    }
    String named = environment.getOrDefault(SettingVariables.CONFIG, "");
    if (!named.isEmpty()) {
      return Path.of(named);
    }
    String installed = System.getProperty("hourstone.config");
    List<Path> places = installed == null ? SettingsFile.PLACES : List.of(Path.of(installed));
    return places.stream().filter(Files::exists).findFirst().orElse(null);
  }

  /** The settings. The first call warns about settings without effect. */
  public TsdbOptions options() {
    return loaded().options();
  }

  private SettingSources.Loaded loaded() {
    SettingSources.Loaded known = loaded;
    if (known == null) {
      known = given(this::load);
      loaded = known;
    }
    return known;
  }

  private SettingSources.Loaded load() {
    SettingSources.Loaded given = loadSettings();
    TsdbOptions inZone = inZone(given.options().withClock(clock));
    inZone.schema(); // used without a database, which would check the other settings
    return new SettingSources.Loaded(inZone, given.store());
  }

  private SettingSources.Loaded loadSettings() {
    try {
      return SettingSources.load(
          global.openTsdbDefaults, shownFile(), environment, global.set, warnings);
    } catch (IllegalArgumentException e) {
      String message = String.valueOf(e.getMessage());
      for (Map.Entry<String, String> option : options.entrySet()) {
        if (message.startsWith(option.getKey() + ":")) {
          throw new UsageException(option.getValue() + message.substring(option.getKey().length()));
        }
      }
      throw e;
    }
  }

  /** As {@link #file}; a file that was not named is shown. */
  private @Nullable Path shownFile() {
    Path file = file();
    if (file != null && SettingsFile.PLACES.contains(file) && global.config == null) {
      warnings.accept("the settings are those of " + file.toAbsolutePath());
    }
    return file;
  }

  private TsdbOptions inZone(TsdbOptions options) {
    String zone = global.timeZone;
    try {
      return zone == null ? options : options.with(QuerySettings.TIMEZONE, ZoneId.of(zone).getId());
    } catch (DateTimeException e) {
      throw new UsageException("--timezone " + zone + ": not a time zone");
    }
  }

  /** Whether {@code --timezone} is given. */
  public boolean hasTimeZone() {
    return global.timeZone != null;
  }

  /**
   * The time in an option, in milliseconds since the epoch.
   *
   * @param otherwise the result if the option is not given
   */
  public long time(String option, @Nullable String text, long otherwise) {
    return text == null
        ? otherwise
        : TimeWord.time(
            option, text, clock.instant(), options().timeZone(), options().queryDialect());
  }

  /**
   * Changes a setting, as {@code --set} does.
   *
   * @param option the option that was given, for the error if the value is invalid
   */
  public void set(String option, Setting<?> key, String value) {
    if (isFixed) {
      throw new UsageException(option + ": a daemon has its own settings");
    }
    String set = key.key() + "=" + value;
    global.set.add(set);
    options.put(set, option + " " + value);
  }

  /** A store's URI, given by the user. */
  public static StoreUri parse(String uri) {
    return given(() -> StoreUri.parse(uri));
  }

  /** A value computed from settings or a URI; its errors are errors of the user. */
  public static <T> T given(Supplier<T> value) {
    try {
      return value.get();
    } catch (IllegalArgumentException e) {
      throw new CommandException(String.valueOf(e.getMessage()), e);
    }
  }
}
