package org.hourstone.tsd.session;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
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

  private record Given(String origin, String value) {}

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
      Properties properties = read(file);
      for (String key : new TreeSet<>(properties.stringPropertyNames())) {
        sources.set(file.toString(), key, properties.getProperty(key));
      }
    }
    SettingVariables.keys(environment)
        .forEach(
            (variable, key) ->
                sources.set("environment", key, String.valueOf(environment.get(variable))));
    for (String set : sets) {
      int equals = set.indexOf('=');
      if (equals < 1) {
        throw new UsageException("--set " + set + ": must be KEY=VALUE");
      }
      sources.set("--set", set.substring(0, equals).strip(), set.substring(equals + 1));
    }
    TsdbOptions options =
        openTsdbDefaults ? TsdbOptions.openTsdbDefaults() : TsdbOptions.defaults();
    for (Map.Entry<Setting<?>, Given> each : sources.values.entrySet()) {
      options = options.with(each.getKey(), each.getValue().value);
      if (!openTsdbDefaults) {
        sources.warnIfMisspelt(each.getKey(), each.getValue());
      }
    }
    sources.withoutEffect.forEach(
        (origin, keys) -> sources.warnings.add(origin + ": " + text(keys)));
    sources.warnings.forEach(warnings);
    return new Loaded(options, sources.store());
  }

  private void warnIfMisspelt(Setting<?> setting, Given given) {
    if (setting.isMisspelt(given.value)) {
      warnings.add(
          "%s: %s=%s means false: only true, 1 and yes mean true%s"
              .formatted(
                  given.origin,
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

  private static Properties read(Path file) {
    Properties properties = new Properties();
    try (InputStream in = Files.newInputStream(file)) {
      properties.load(in);
    } catch (IOException e) {
      throw new CommandException(Problem.of("settings", file, e), e);
    } catch (IllegalArgumentException e) {
      throw new CommandException("settings " + file + ": " + e.getMessage(), e);
    }
    return properties;
  }

  private void set(String origin, String key, String value) {
    Optional<Setting<?>> known = Settings.find(key);
    if (known.isPresent()) {
      values.put(known.get(), new Given(origin, value.strip()));
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
          warnings.add(origin + ": unknown setting " + key + " is ignored" + newName(key));
    }
  }

  private static String newName(String key) {
    String name = Settings.byFormerKey().get(key);
    return name == null ? "" : "; its name is " + name + " now";
  }
}
