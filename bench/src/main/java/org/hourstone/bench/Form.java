package org.hourstone.bench;

import org.hourstone.ConfigKey;
import org.hourstone.TsdbOptions;

/** How points are written; nothing is compacted unless requested. */
enum Form {
  /** A cell for each point. */
  SINGLE,
  /** A cell for those of a row that are in one batch. */
  PACKS,
  /** At the end of the row's append cell. */
  APPENDS;

  TsdbOptions options() {
    return TsdbOptions.defaults()
        .with(ConfigKey.COMPACTION_BACKGROUND, "false")
        .with(ConfigKey.FLUSH_INTERVAL, "0")
        .with(ConfigKey.WRITE_PACKS, this == PACKS ? "true" : "false")
        .with(ConfigKey.ENABLE_APPENDS, this == APPENDS ? "true" : "false");
  }
}
