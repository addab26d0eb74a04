package org.hourstone.tsd;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.hourstone.ConfigKey;
import org.hourstone.TsdbOptions;
import org.jspecify.annotations.Nullable;

/**
 * The settings, by the command line. The first of these sources that has a key takes precedence:
 * {@code --set}, the file, the defaults. See {@code docs/configuration.md}.
 */
final class Settings {
  private final Consumer<String> warnings;
  private TsdbOptions options;

  private Settings(TsdbOptions defaults, Consumer<String> warnings) {
    this.options = defaults;
    this.warnings = warnings;
  }

  /**
   * @param openTsdbDefaults whether the defaults are OpenTSDB's
   * @param file in the form of {@code opentsdb.conf}
   * @param sets each {@code key=value}
   * @param warnings receives keys that have no effect
   * @throws CommandException if the file can't be read
   */
  static TsdbOptions load(
      boolean openTsdbDefaults, @Nullable Path file, List<String> sets, Consumer<String> warnings) {
    Settings settings =
        new Settings(
            openTsdbDefaults ? TsdbOptions.openTsdbDefaults() : TsdbOptions.defaults(), warnings);
    if (file != null) {
      Properties properties = read(file);
      for (String key : new TreeSet<>(properties.stringPropertyNames())) {
        settings.set(file.toString(), key, properties.getProperty(key));
      }
    }
    for (String set : sets) {
      int equals = set.indexOf('=');
      if (equals < 1) {
        throw new UsageException("--set " + set + ": must be KEY=VALUE");
      }
      settings.set("--set", set.substring(0, equals).strip(), set.substring(equals + 1));
    }
    return settings.options;
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
    Optional<ConfigKey> known = ConfigKey.find(key);
    if (known.isPresent()) {
      options = options.with(known.get(), value.strip());
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
