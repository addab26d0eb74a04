package org.hourstone.testing.golden;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hourstone.QuerySettings;
import org.hourstone.Setting;
import org.hourstone.Settings;
import org.hourstone.TsdbOptions;
import org.hourstone.codec.DuplicatePolicy;

/** The options a scenario is played with: strict mode, the recordings' base, its own settings. */
final class GoldenConfig {
  /**
   * Settings that may stand in a scenario and have no effect here, because they say where the store
   * is, how the network is listened to, or when in the background something happens that the replay
   * does at its moment. None of them changes stored cells or responses.
   */
  private static final List<String> WITHOUT_EFFECT =
      List.of(
          "tsd.network.",
          "tsd.http.",
          "tsd.stats.",
          "tsd.storage.hbase.zk_",
          "tsd.storage.hbase.prefetch_meta",
          "tsd.storage.hbase.scanner.",
          "tsd.storage.compaction.",
          "tsd.storage.flush_interval",
          "tsd.core.connections.",
          "tsd.core.preload_uid_cache",
          "tsd.core.socket.",
          "tsd.core.stats_with_port",
          "tsd.mode",
          "tsd.query.allow_simultaneous_duplicates",
          "tsd.query.enable_fuzzy_filter",
          "tsd.query.filter.",
          "tsd.query.limits.",
          "tsd.query.multi_get.",
          "tsd.query.timeout",
          "tsd.rollups.split_query.");

  private GoldenConfig() {}

  /** The options with names let in that Hourstone refuses and OpenTSDB does not. */
  static TsdbOptions withAnyNames(TsdbOptions options) {
    return options.with(Settings.ALLOW_NON_LATIN1, "true");
  }

  /** The setting of this name, which must be there. */
  static Setting<?> key(String name) {
    return Settings.find(name).orElseThrow(() -> new AssertionError("unknown setting: " + name));
  }

  /** Whether points are put with their own time as the write time. */
  static boolean writesPointTimes(TsdbOptions options) {
    return options.get(Settings.USE_OTSDB_TIMESTAMP);
  }

  /** Whether of two points of one timestamp the one that was written later is read. */
  static boolean newestWins(TsdbOptions options) {
    return options.get(QuerySettings.FIX_DUPLICATES) && !writesPointTimes(options);
  }

  /** Which of two values of one timestamp is read, if they may differ. */
  static DuplicatePolicy duplicates(TsdbOptions options) {
    if (!writesPointTimes(options)) {
      return DuplicatePolicy.NEWEST_WINS;
    }
    return options.get(QuerySettings.USE_MAX_VALUE)
        ? DuplicatePolicy.LARGEST_WINS
        : DuplicatePolicy.SMALLEST_WINS;
  }

  /**
   * @throws AssertionError if a setting is unknown
   */
  static TsdbOptions options(Map<String, String> config) {
    TsdbOptions options =
        TsdbOptions.openTsdbDefaults()
            .with(Settings.AUTO_CREATE_METRICS, "true")
            .with(Settings.COMPACTION_BACKGROUND, "false")
            .with(Settings.CREATE_TABLES, "true")
            .with(QuerySettings.TIMEZONE, "UTC");
    for (Map.Entry<String, String> setting : config.entrySet()) {
      Optional<Setting<?>> key = Settings.find(setting.getKey());
      if (key.isPresent()) {
        options = options.with(key.get(), setting.getValue());
      } else if (WITHOUT_EFFECT.stream().noneMatch(setting.getKey()::startsWith)) {
        throw new AssertionError("unknown setting: " + setting);
      }
    }
    return options;
  }
}
