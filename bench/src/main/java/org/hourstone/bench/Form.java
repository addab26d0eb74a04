package org.hourstone.bench;

import java.util.Locale;
import org.hourstone.Settings;
import org.hourstone.TsdbOptions;

/** How points are written; nothing is compacted unless requested. */
enum Form {
  /** A cell for each point. */
  SINGLE,
  /** A cell for those of a row that are in one batch. */
  PACKS,
  /** At the end of the row's append cell. */
  APPENDS;

  static Form of(String name) {
    return valueOf(name.toUpperCase(Locale.ROOT));
  }

  TsdbOptions options() {
    return TsdbOptions.defaults()
        .with(Settings.CREATE_TABLES, "true")
        .with(Settings.COMPACTION_BACKGROUND, "false")
        .with(Settings.FLUSH_INTERVAL, "0")
        .with(Settings.WRITE_PACKS, this == PACKS ? "true" : "false")
        .with(Settings.ENABLE_APPENDS, this == APPENDS ? "true" : "false");
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
