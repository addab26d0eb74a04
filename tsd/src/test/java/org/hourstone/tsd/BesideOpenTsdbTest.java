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
import org.hourstone.hbase.NeedsHBase;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.KeyValueStores;
import org.hourstone.opentsdb.OpenTsdbProcess;
import org.hourstone.testing.beside.BesideContract;
import org.hourstone.testing.golden.RequestPort;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/** Beside the published OpenTSDB, over tables of an HBase that we have made. */
@NeedsHBase
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BesideOpenTsdbTest extends BesideContract {
  private static final String[] JVM = {
    "-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Duser.language=en"
  };

  private KeyValueStore store;
  private Tsdb tsdb;
  private ServerPort ours;
  private OpenTsdbProcess peer;
  private ServerPort theirs;

  @BeforeAll
  void start() {
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
    store = KeyValueStores.open(HBaseProcess.sharedUri());
    tsdb = Tsdb.over(store, options);
    ours = ServerPort.of(tsdb);
    peer = OpenTsdbProcess.start(HBaseProcess.sharedUri(), settings, JVM);
    theirs = new ServerPort(peer.address(), peer::close);
  }

  @AfterAll
  void stop() {
    theirs.close();
    ours.close();
    tsdb.close();
    store.close();
  }

  @Override
  protected RequestPort ours() {
    return ours;
  }

  @Override
  protected RequestPort theirs() {
    return theirs;
  }
}
