package org.hourstone.kv.hbase.beside;

import java.util.Map;
import org.hourstone.QuerySettings;
import org.hourstone.Setting;
import org.hourstone.Settings;
import org.hourstone.hbase.NeedsHBase;

/**
 * Both append points, and we put cells of appended points in order. OpenTSDB must not: it loses
 * what is appended between its reading of a cell and its writing, its own appends, too.
 */
@NeedsHBase
class AppendedPointsTest extends AtOnceContract {
  @Override
  Map<Setting<?>, String> settings() {
    return Map.of(
        QuerySettings.FIX_DUPLICATES, "true",
        Settings.ENABLE_APPENDS, "true");
  }

  @Override
  Map<Setting<?>, String> ourSettings() {
    return Map.of(Settings.REPAIR_APPENDS, "true");
  }
}
