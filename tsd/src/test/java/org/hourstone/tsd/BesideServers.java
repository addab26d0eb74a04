package org.hourstone.tsd;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.hourstone.QuerySettings;
import org.hourstone.Setting;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.hbase.HBaseProcess;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.KeyValueStores;
import org.hourstone.opentsdb.OpenTsdbProcess;

/** A server in strict mode and the published OpenTSDB over the same new tables of an HBase. */
record BesideServers(KeyValueStore store, Tsdb tsdb, ServerPort ours, ServerPort theirs)
    implements AutoCloseable {
  private static final String[] JVM = {
    "-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Duser.language=en"
  };

  /**
   * Starts both.
   *
   * @param more settings of both; names of tables in a text of JSON get the prefix of all tables
   */
  static BesideServers start(Map<Setting<?>, String> more) {
    String prefix = "b" + UUID.randomUUID().toString().substring(0, 8) + "_";
    TsdbOptions options =
        TsdbOptions.openTsdbDefaults()
            .with(Settings.CREATE_TABLES, "true")
            .with(QuerySettings.TIMEZONE, "UTC");
    Map<String, String> settings = new TreeMap<>();
    // It hands what it has taken to HBase without much delay, and its answers have no stack traces.
    settings.put("hbase.rpcs.buffered_flush_interval", "20");
    settings.put("tsd.http.show_stack_trace", "false");
    for (Setting<?> shared :
        List.of(
            Settings.AUTO_CREATE_METRICS,
            Settings.META_TRACKING,
            Settings.META_REALTIME_TS,
            Settings.META_INCREMENTING,
            Settings.META_REALTIME_UID)) {
      options = options.with(shared, "true");
      settings.put(shared.key(), "true");
    }
    for (Setting<String> table :
        List.of(
            Settings.DATA_TABLE, Settings.UID_TABLE, Settings.META_TABLE, Settings.TREE_TABLE)) {
      options = options.with(table, prefix + options.get(table));
      settings.put(table.key(), options.get(table));
    }
    for (Map.Entry<Setting<?>, String> setting : more.entrySet()) {
      String value = setting.getValue().replace("\"tsdb", "\"" + prefix + "tsdb");
      options = options.with(setting.getKey(), value);
      settings.put(setting.getKey().key(), value);
    }
    KeyValueStore store = KeyValueStores.open(HBaseProcess.sharedUri());
    Tsdb tsdb = Tsdb.over(store, options);
    OpenTsdbProcess peer = OpenTsdbProcess.start(HBaseProcess.sharedUri(), settings, JVM);
    return new BesideServers(
        store, tsdb, ServerPort.of(tsdb), new ServerPort(peer.address(), peer::close));
  }

  @Override
  public void close() {
    theirs.close();
    ours.close();
    tsdb.close();
    store.close();
  }
}
