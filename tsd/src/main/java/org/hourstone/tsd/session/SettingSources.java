package org.hourstone.tsd.session;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.hourstone.Setting;
import org.hourstone.Settings;
import org.hourstone.TsdbOptions;
import org.jspecify.annotations.Nullable;

/**
 * Loads the settings for the command line. The first of these sources that has a key takes
 * precedence: {@code --set}, the environment, the file, the defaults. See {@code
 * docs/configuration.md}.
 */
final class SettingSources {
  private static final String DEFAULT_NODE = "/hbase";
  private static final String ENVIRONMENT = "environment";
  private static final String SET = "--set";
  private static final int NAMES_SHOWN = 5;

  private final Set<String> warnings = new LinkedHashSet<>();
  private final Map<Setting<?>, Given> values = new LinkedHashMap<>();
  private final Map<String, String> storeValues = new HashMap<>();
  private final Map<String, Set<String>> withoutEffect = new LinkedHashMap<>();

  /**
   * The loaded settings.
   *
   * @param store the URI of the HBase cluster in the settings; null if there is none
   */
  record Loaded(TsdbOptions options, @Nullable String store) {}

  private SettingSources() {}

  /**
   * @param place the file with the line, or another source
   */
  private record Given(String place, String value) {}

  /**
   * @param openTsdbDefaults whether the defaults are OpenTSDB's
   * @param file a file in the format of {@code opentsdb.conf}
   * @param environment the environment of the process
   * @param sets the settings, each {@code key=value}
   * @param warnings receives warnings about keys without effect and misspelt values
   * @throws CommandException if the file can't be read
   * @throws IllegalArgumentException if the value of a setting is invalid
   */
  static Loaded load(
      boolean openTsdbDefaults,
      @Nullable Path file,
      Map<String, String> environment,
      List<String> sets,
      Consumer<String> warnings) {
    SettingSources sources = new SettingSources();
    if (file != null) {
      TreeMap<String, SettingsFile.Entry> last = new TreeMap<>();
      SettingsFile.read(file).forEach(entry -> last.put(entry.key(), entry));
      last.forEach(
          (key, entry) ->
              sources.set(file.toString(), file + ":" + entry.line(), key, entry.value()));
    }
    SettingVariables.keys(environment)
        .forEach(
            (variable, key) ->
                sources.set(
                    ENVIRONMENT, ENVIRONMENT, key, String.valueOf(environment.get(variable))));
    for (String set : sets) {
      int equals = set.indexOf('=');
      if (equals < 1) {
        throw new UsageException("--set " + set + ": must be KEY=VALUE");
      }
      sources.set(SET, SET, set.substring(0, equals).strip(), set.substring(equals + 1));
    }
    TsdbOptions options =
        openTsdbDefaults ? TsdbOptions.openTsdbDefaults() : TsdbOptions.defaults();
    for (Map.Entry<Setting<?>, Given> each : sources.values.entrySet()) {
      options = with(options, each.getKey(), each.getValue());
      if (!openTsdbDefaults) {
        sources.warnIfMisspelt(each.getKey(), each.getValue());
      }
    }
    sources.withoutEffect.forEach(
        (origin, keys) -> sources.warnings.add(origin + ": " + text(keys)));
    sources.warnings.forEach(warnings);
    return new Loaded(options, sources.store());
  }

  /** A value that is invalid is named with its place; the option that set it says that itself. */
  private static TsdbOptions with(TsdbOptions options, Setting<?> setting, Given given) {
    try {
      return options.with(setting, given.value);
    } catch (IllegalArgumentException e) {
      throw given.place.equals(SET)
          ? e
          : new IllegalArgumentException(given.place + ": " + e.getMessage(), e);
    }
  }

  private void warnIfMisspelt(Setting<?> setting, Given given) {
    if (setting.isMisspelt(given.value)) {
      warnings.add(
          "%s: %s=%s means false: only true, 1 and yes mean true%s"
              .formatted(
                  given.place,
                  setting.key(),
                  given.value,
                  setting.hasAuto() ? ", and auto leaves the choice to Hourstone" : ""));
    }
  }

  private static String text(Set<String> keys) {
    if (keys.size() == 1) {
      return keys.iterator().next() + " has no effect in this version";
    }
    String more = keys.size() > NAMES_SHOWN ? " and " + (keys.size() - NAMES_SHOWN) + " more" : "";
    return keys.size()
        + " settings have no effect in this version: "
        + keys.stream().limit(NAMES_SHOWN).collect(Collectors.joining(", "))
        + more;
  }

  private @Nullable String store() {
    String quorum = storeValues.getOrDefault(OpenTsdbKeys.ZK_QUORUM, "").replaceAll("\\s", "");
    return quorum.isEmpty()
        ? null
        : "hbase://" + quorum + storeValues.getOrDefault(OpenTsdbKeys.ZK_BASEDIR, DEFAULT_NODE);
  }

  private void set(String origin, String place, String key, String value) {
    Optional<Setting<?>> known = Settings.find(key);
    if (known.isPresent()) {
      values.put(known.get(), new Given(place, value.strip()));
      return;
    }
    switch (OpenTsdbKeys.kindOf(key)) {
      case DAEMON -> {
        // OpenTSDB's network and plugins work differently; nothing stored or returned depends on
        // them.
      }
      case STORE -> storeValues.put(key, value.strip());
      case WITHOUT_EFFECT -> {
        if (!OpenTsdbKeys.isDefault(key, value)) {
          withoutEffect.computeIfAbsent(origin, o -> new LinkedHashSet<>()).add(key);
        }
      }
      case UNKNOWN ->
          warnings.add(place + ": unknown setting " + key + " is ignored" + newName(key));
    }
  }

  private static String newName(String key) {
    String name = Settings.byFormerKey().get(key);
    return name == null ? "" : "; its name is " + name + " now";
  }
}
