package org.hourstone.tsd;

import static org.assertj.core.api.Assertions.assertThat;

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
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;

/** Beside the published OpenTSDB, over tables of an HBase that we have made. */
@NeedsHBase
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class BesideOpenTsdbTest extends BesideContract {
  private static final String[] JVM = {
    "-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Duser.language=en"
  };

  /** Integers of every width, and decimals of both. */
  private static final List<String> VALUES =
      List.of("7", "-300", "70000", "9007199254740993", "2.5", "0.1", "-1e-300");

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

  /** Before the random requests write points: it compares every metric that exists. */
  @Test
  @Order(1)
  void compareFindsNoDifferences() {
    for (String port : List.of("ours", "theirs")) {
      RequestPort writer = port.equals("ours") ? ours : theirs;
      for (String metric : List.of("compare.cpu", "compare.mem")) {
        StringBuilder points = new StringBuilder();
        for (int i = 0; i < 300; i++) {
          points
              .append(i == 0 ? '[' : ',')
              .append("{\"metric\":\"%s\",\"timestamp\":".formatted(metric))
              .append(i % 5 == 0 ? 1_500_000_000_123L + 20_000L * i : 1_500_000_000L + 20L * i)
              .append(",\"value\":")
              .append(VALUES.get(i % VALUES.size()))
              .append(",\"tags\":{\"host\":\"%s\",\"core\":\"%d\"}}".formatted(port, i % 3));
        }
        assertThat(
                writer
                    .http("POST", "/api/put?sync", Map.of(), points.append(']').toString())
                    .status())
            .isEqualTo(204);
      }
    }
    assertThat(theirs.http("GET", "/api/suggest?type=metrics&q=compare", Map.of(), "").body())
        .isEqualTo("[\"compare.cpu\",\"compare.mem\"]");

    CommandRun run =
        CommandRun.of(
            "compare",
            "--start=1499999000",
            "--now=1500009000",
            "http://localhost:" + ours.address().getPort(),
            "http://localhost:" + theirs.address().getPort());

    assertThat(run.out())
        .matches(
            "(?s)[1-9][0-9]+ requests: 0 with differences .*, 0 refused by both, 0 not compared\n"
                + ".*");
    assertThat(run.exitCode()).isZero();
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
