package org.hourstone.tsd;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.hourstone.DaemonSettings;
import org.hourstone.Setting;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.hbase.HBaseProcess;
import org.hourstone.hbase.NeedsHBase;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.KeyValueStores;
import org.hourstone.opentsdb.OpenTsdbProcess;
import org.hourstone.server.Client;
import org.hourstone.server.Server;
import org.hourstone.uid.UidKind;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The published OpenTSDB, with its own limits of requests, as the other server of a mirror. */
@NeedsHBase
class MirrorToOpenTsdbTest {
  private static final String[] JVM = {
    "-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Duser.language=en"
  };

  /** Integers of every width, and decimals that a float can hold: OpenTSDB stores no others. */
  private static final List<String> VALUES =
      List.of("7", "-300", "70000", "9007199254740993", "2.5", "-0.125", "1e10");

  /** The order of series is that of their UIDs, which the two assign in another order. */
  private static final String SAME =
      "(?s).*6 requests: .*\\(value 0, time 0, tag 0, order [0-9]+, error 0\\), 0 refused by both,"
          + " 0 not compared\n"
          + ".*";

  @TempDir Path directory;

  /** Has the tables made that OpenTSDB needs. */
  private static OpenTsdbProcess openTsdb() {
    String prefix = "i" + UUID.randomUUID().toString().substring(0, 8) + "_";
    TsdbOptions options = TsdbOptions.openTsdbDefaults().with(Settings.CREATE_TABLES, "true");
    Map<String, String> settings = new TreeMap<>();
    settings.put("hbase.rpcs.buffered_flush_interval", "20");
    settings.put("tsd.http.request.enable_chunked", "false");
    settings.put("tsd.core.auto_create_metrics", "false");
    for (Setting<String> table :
        List.of(
            Settings.DATA_TABLE, Settings.UID_TABLE, Settings.META_TABLE, Settings.TREE_TABLE)) {
      options = options.with(table, prefix + options.get(table));
      settings.put(table.key(), options.get(table));
    }
    try (KeyValueStore store = KeyValueStores.open(HBaseProcess.sharedUri());
        Tsdb tables = Tsdb.over(store, options)) {
      for (String metric : List.of("mirror.cpu", "mirror.mem")) {
        byte[] unused = tables.uids().assign(UidKind.METRIC, metric);
      }
    }
    return OpenTsdbProcess.start(HBaseProcess.sharedUri(), settings, JVM);
  }

  private static String puts(String metric, int points) {
    StringBuilder body = new StringBuilder();
    for (int i = 0; i < points; i++) {
      body.append(i == 0 ? '[' : ',')
          .append("{\"metric\":\"%s\",\"timestamp\":".formatted(metric))
          .append(i % 5 == 0 ? 1_500_000_000_123L + 20_000L * i : 1_500_000_000L + 20L * i)
          .append(",\"value\":")
          .append(VALUES.get(i % VALUES.size()))
          .append(",\"tags\":{\"host\":\"a\",\"core\":\"%d\"}}".formatted(i % 3));
    }
    return body.append(']').toString();
  }

  private static void put(Server to, String body) throws IOException {
    assertThat(Client.request(to.address(), "POST", "/api/put?sync", body).status()).isEqualTo(204);
  }

  /** A statistic of {@code /metrics}. */
  private static long metric(Server of, String name) throws IOException {
    return Client.request(of.address(), "GET", "/metrics", "")
        .body()
        .lines()
        .filter(line -> line.startsWith(name + " "))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(name.length() + 1)))
        .sum();
  }

  /** The default, and one that OpenTSDB refuses as it is set up here, so that it is divided. */
  @ParameterizedTest
  @ValueSource(ints = {8000, 20_000})
  void compareFindsNoDifferencesBetweenTheTwo(int bytes) throws Exception {
    try (OpenTsdbProcess peer = openTsdb();
        Tsdb db =
            Tsdb.open(
                "memory:",
                TsdbOptions.defaults()
                    .with(Settings.AUTO_CREATE_METRICS, "true")
                    .with(DaemonSettings.PORT, "0")
                    .with(DaemonSettings.MIRROR, "http://localhost:" + peer.address().getPort())
                    .with(DaemonSettings.MIRROR_BODY, Integer.toString(bytes))
                    .with(DaemonSettings.MIRROR_DIRECTORY, directory.resolve("queue").toString()));
        Server server = Server.start(db)) {
      put(server, puts("mirror.cpu", 2000));
      put(server, puts("mirror.unknown", 100));
      put(server, puts("mirror.mem", 2000));

      long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
      while (metric(server, "hourstone_mirror_sent_points_total")
              + metric(server, "hourstone_mirror_refused_points_total{reason=\"unknown_metrics\"}")
          < 4100) {
        assertThat(System.nanoTime()).isLessThan(until);
      }
      assertThat(metric(server, "hourstone_mirror_sent_points_total")).isEqualTo(4000);
      assertThat(metric(server, "hourstone_mirror_failures_total") > 0).isEqualTo(bytes > 8192);

      CommandRun run = compare(server, peer);
      while (!run.out().matches(SAME) && System.nanoTime() < until) {
        run = compare(server, peer); // OpenTSDB acknowledges before HBase has the points
      }
      assertThat(run.out()).matches(SAME);
    }
  }

  private static CommandRun compare(Server server, OpenTsdbProcess peer) throws IOException {
    Path requests = Files.createTempFile("requests", "");
    try {
      StringBuilder lines = new StringBuilder();
      for (String metric : List.of("mirror.cpu", "mirror.mem")) {
        for (String query : List.of("none:%s", "sum:%s{core=*}", "avg:1h-avg:%s")) {
          lines.append(
              "/api/query?start=1499999000&end=1500090000&ms=true&m="
                  + query.formatted(metric).replace("{", "%7B").replace("}", "%7D")
                  + "\n");
        }
      }
      Files.writeString(requests, lines);
      InetSocketAddress ours = server.address();
      assertThat(ours.getAddress()).isEqualTo(InetAddress.getLoopbackAddress());
      return CommandRun.of(
          "compare",
          "--tolerance=1e-12",
          "--requests=" + requests,
          "http://localhost:" + ours.getPort(),
          "http://localhost:" + peer.address().getPort());
    } finally {
      Files.delete(requests);
    }
  }
}
