package org.hourstone.tsd;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.hourstone.Setting;
import org.hourstone.Settings;
import org.hourstone.TsdbOptions;
import org.jspecify.annotations.Nullable;

/**
 * The settings, by the command line. The first of these sources that has a key takes precedence:
 * {@code --set}, the file, the defaults. See {@code docs/configuration.md}.
 */
final class SettingSources {
  private final Consumer<String> warnings;
  private final Map<Setting<?>, String> values = new HashMap<>();

  private SettingSources(Consumer<String> warnings) {
    this.warnings = warnings;
  }

  /**
   * @param openTsdbDefaults whether the defaults are OpenTSDB's
   * @param file in the form of {@code opentsdb.conf}
   * @param sets each {@code key=value}
   * @param warnings receives keys that have no effect
   * @throws CommandException if the file can't be read
   * @throws IllegalArgumentException if the value of a setting is invalid
   */
  static TsdbOptions load(
      boolean openTsdbDefaults, @Nullable Path file, List<String> sets, Consumer<String> warnings) {
    SettingSources sources = new SettingSources(warnings);
    if (file != null) {
      Properties properties = read(file);
      for (String key : new TreeSet<>(properties.stringPropertyNames())) {
        sources.set(file.toString(), key, properties.getProperty(key));
      }
    }
    for (String set : sets) {
      int equals = set.indexOf('=');
      if (equals < 1) {
        throw new UsageException("--set " + set + ": must be KEY=VALUE");
      }
      sources.set("--set", set.substring(0, equals).strip(), set.substring(equals + 1));
    }
    TsdbOptions options =
        openTsdbDefaults ? TsdbOptions.openTsdbDefaults() : TsdbOptions.defaults();
    for (Map.Entry<Setting<?>, String> value : sources.values.entrySet()) {
      options = options.with(value.getKey(), value.getValue());
    }
    return options;
  }

  private static Properties read(Path file) {
    Properties properties = new Properties();
    try (InputStream in = Files.newInputStream(file)) {
      properties.load(in);
    } catch (IOException e) {
      String reason = Problem.reason(e);
      throw new CommandException(
          reason.startsWith(file.toString())
              ? "settings " + reason
              : "settings " + file + ": " + reason,
          e);
    } catch (IllegalArgumentException e) {
      throw new CommandException("settings " + file + ": " + e.getMessage(), e);
    }
    return properties;
  }

  private void set(String origin, String key, String value) {
    Optional<Setting<?>> known = Settings.find(key);
    if (known.isPresent()) {
      values.put(known.get(), value.strip());
      return;
    }
    switch (OpenTsdbKeys.kindOf(key)) {
      case DAEMON -> {
        // These settings are for a daemon, which this is not.
      }
      case WITHOUT_EFFECT ->
          warnings.accept(origin + ": " + key + " has no effect in this version");
      case UNKNOWN -> warnings.accept(origin + ": unknown setting " + key + " is ignored");
    }
  }
}
