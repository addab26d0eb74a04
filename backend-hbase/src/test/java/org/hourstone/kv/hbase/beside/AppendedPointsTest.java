package org.hourstone.kv.hbase.beside;

import java.util.Map;
import org.hourstone.ConfigKey;
import org.hourstone.hbase.NeedsHBase;

/**
 * Both append points, and we put cells of appended points in order. OpenTSDB must not: it loses
 * what is appended between its reading of a cell and its writing, its own appends, too.
 */
@NeedsHBase
class AppendedPointsTest extends AtOnceContract {
  @Override
  Map<ConfigKey, String> settings() {
    return Map.of(
        ConfigKey.FIX_DUPLICATES, "true",
        ConfigKey.ENABLE_APPENDS, "true");
  }

  @Override
  Map<ConfigKey, String> ourSettings() {
    return Map.of(ConfigKey.REPAIR_APPENDS, "true");
  }
}
