package org.hourstone.kv.hbase.beside;

import java.util.Map;
import org.hourstone.QuerySettings;
import org.hourstone.Setting;
import org.hourstone.Settings;
import org.hourstone.hbase.NeedsHBase;

/** Salted rows, and metrics with random UIDs. */
@NeedsHBase
class SaltedTablesTest extends AtOnceContract {
  @Override
  Map<Setting<?>, String> settings() {
    return Map.of(
        QuerySettings.FIX_DUPLICATES, "true",
        Settings.SALT_WIDTH, "1",
        Settings.SALT_BUCKETS, "5",
        Settings.RANDOM_METRICS, "true");
  }
}
