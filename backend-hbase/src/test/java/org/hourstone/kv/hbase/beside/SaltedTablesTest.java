package org.hourstone.kv.hbase.beside;

import java.util.Map;
import org.hourstone.ConfigKey;
import org.hourstone.hbase.NeedsHBase;

/** Salted rows, and metrics with random UIDs. */
@NeedsHBase
class SaltedTablesTest extends AtOnceContract {
  @Override
  Map<ConfigKey, String> settings() {
    return Map.of(
        ConfigKey.FIX_DUPLICATES, "true",
        ConfigKey.SALT_WIDTH, "1",
        ConfigKey.SALT_BUCKETS, "5",
        ConfigKey.RANDOM_METRICS, "true");
  }
}
