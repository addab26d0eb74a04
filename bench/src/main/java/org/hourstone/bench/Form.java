package org.hourstone.bench;

import java.util.Locale;
import org.hourstone.MemorySettings;
import org.hourstone.Settings;
import org.hourstone.TsdbOptions;

/** How points are written; nothing is compacted unless requested. */
enum Form {
  /** A cell for each point. */
  SINGLE,
  /** A cell for those of a row that are in one batch. */
  PACKS,
  /** A cell for those of a row that arrive in a time, each acknowledged by a journal before. */
  JOURNAL,
  /** At the end of the row's append cell. */
  APPENDS;

  static Form of(String name) {
    return valueOf(name.toUpperCase(Locale.ROOT));
  }

  TsdbOptions options() {
    return TsdbOptions.defaults()
        .with(Settings.CREATE_TABLES, "true")
        .with(Settings.COMPACTION_BACKGROUND, "false")
        .with(Settings.COMPACTION_QUIET, "0")
        .with(Settings.FLUSH_INTERVAL, "0")
        .with(Settings.WRITE_PACKS, this == PACKS ? "true" : "false")
        .with(Settings.ENABLE_APPENDS, this == APPENDS ? "true" : "false");
  }

  /**
   * For points that arrive by a clock of their own.
   *
   * @param flushSeconds for how long points of a row are buffered
   */
  TsdbOptions options(int flushSeconds) {
    return options()
        .with(Settings.FLUSH_INTERVAL, "" + flushSeconds)
        .with(Settings.HEAD_WRITER, this == JOURNAL ? "bench" : "")
        .with(Settings.WRITE_PACKS, this == SINGLE ? "false" : "true")
        .with(MemorySettings.UID_CACHE_SECONDS, "0"); // else names are read again every second
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
