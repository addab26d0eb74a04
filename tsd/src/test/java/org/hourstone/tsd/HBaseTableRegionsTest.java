package org.hourstone.tsd;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.hourstone.Setting;
import org.hourstone.Settings;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.hbase.HBaseProcess;
import org.hourstone.hbase.NeedsHBase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The commands {@code regions} and {@code status} over salted tables. */
@NeedsHBase
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class HBaseTableRegionsTest {
  private static final long START = 1_500_001_200;
  private static final int HOURS = 20;
  private static final int HOUR = 3600;

  private static final Map<Setting<?>, String> SETTINGS =
      Map.of(
          Settings.CREATE_TABLES, "true",
          Settings.SALT_WIDTH, "1",
          Settings.SALT_BUCKETS, "4");

  private final String prefix = "r" + UUID.randomUUID().toString().substring(0, 8) + "_";

  private String uri(String parameters) {
    return HBaseProcess.sharedUri() + "?prefix=" + prefix + parameters;
  }

  private static CommandRun run(String uri, String... words) {
    List<String> args = new ArrayList<>(List.of("--store", uri));
    SETTINGS.forEach((key, value) -> args.addAll(List.of("--set", key.key() + "=" + value)));
    args.addAll(List.of(words));
    CommandRun run = CommandRun.now(args.toArray(String[]::new));
    assertThat(run.err()).isEmpty();
    assertThat(run.exitCode()).isZero();
    return run;
  }

  /** A point a second of one series, so all of them in one bucket; they can't be compressed. */
  private static void put(String uri, int hours) {
    TsdbOptions options = TsdbOptions.defaults();
    for (Map.Entry<Setting<?>, String> setting : SETTINGS.entrySet()) {
      options = options.with(setting.getKey(), setting.getValue());
    }
    Random random = new Random(1);
    try (Tsdb db = Tsdb.open(uri, options)) {
      for (long time = START; time < START + (long) hours * HOUR; time++) {
        var unused =
            db.put(
                "sys.cpu", Instant.ofEpochSecond(time), random.nextDouble(), Tags.of("host", "a"));
      }
      db.flush();
    }
  }

  /** The columns of a line: parts, MB, skew, writes, skew. */
  private static List<String> columns(CommandRun run, String table, String by) {
    return run.outLines().stream()
        .map(line -> List.of(line.split("\\s+")))
        .filter(words -> words.get(0).equals(table) && words.get(1).equals(by))
        .reduce((first, last) -> last)
        .orElseThrow()
        .subList(2, 7);
  }

  @Test
  void aSkewedSaltedTableIsReportedAndSplitAndReadAsBefore() {
    String uri = uri("&create.compression=none&create.split=salt:4");
    put(uri, HOURS);
    String[] query = {
      "query",
      "--json",
      Long.toString(START),
      Long.toString(START + (long) HOURS * HOUR),
      "sum:sys.cpu"
    };
    String answer = run(uri, query).out();

    CommandRun regions = run(uri, "regions", "tsdb");
    assertThat(columns(regions, "tsdb", "region")).startsWith("4").endsWith("4.0");
    assertThat(columns(regions, "tsdb", "server")).startsWith("1").endsWith("1.0");
    assertThat(columns(regions, "tsdb", "salt")).startsWith("4").endsWith("4.0");
    assertThat(columns(regions, "tsdb", "region").get(2)).isEqualTo("4.0");

    String[] split = {"regions", "tsdb", "--split", "--larger-than", "1m"};
    CommandRun proposed = run(uri, split);
    assertThat(proposed.outLines())
        .anyMatch(
            line ->
                line.matches(
                    "could split tsdb at 0[0-3]000001[0-9a-f]{8}, \\d+ MB: metric sys.cpu from"
                        + " 2017-07-14T13:00:00Z, 50 % of 20 rows before it"))
        .endsWith("1 split proposed; --yes makes them");
    assertThat(columns(run(uri, "regions"), "tsdb", "region")).startsWith("4");

    List<String> words = new ArrayList<>(List.of(split));
    words.add("--yes");
    CommandRun made = run(uri, words.toArray(String[]::new));
    assertThat(made.out()).contains("split tsdb at 0");
    assertThat(columns(made, "tsdb", "region")).startsWith("5");
    assertThat(columns(made, "tsdb", "salt")).startsWith("4");
    assertThat(run(uri, query).out()).isEqualTo(answer).contains("\"1500001200\":");
    assertThat(run(uri, "regions", "tsdb", "--json").out())
        .startsWith("{\"table\":\"tsdb\",\"regions\":[{\"start\":\"\",\"stop\":\"0")
        .contains("\"salt\":{\"parts\":4,\"bytes\":");
  }

  @Test
  void statusAdvisesOnTablesAndSplitsByTheSaltFollowIt() {
    String uri = uri("&create.ttl=30d");
    put(uri, 1);

    assertThat(run(uri, "--set", "hourstone.retention=* raw 400d", "status").outLines())
        .anyMatch(line -> line.equals("tables  tsdb, tsdb-meta, tsdb-tree, tsdb-uid"))
        .anyMatch(
            line ->
                line.equals(
                    "advice  table tsdb, family t: its TTL of 30d deletes points that a rule of"
                        + " hourstone.retention keeps for 400d: alter 'tsdb', {NAME => 't', TTL =>"
                        + " 34560000}, or shorten the rule"))
        .anyMatch(
            line -> line.startsWith("advice  table tsdb: 1 of its regions for 4 salt buckets"))
        .hasSize(4);

    CommandRun made = run(uri, "regions", "--split", "--salt", "--larger-than", "0", "--yes");
    assertThat(made.outLines())
        .filteredOn(line -> line.startsWith("split"))
        .singleElement()
        .asString()
        .matches("split tsdb at 02, \\d+ MB: salt bucket 2");
    assertThat(columns(made, "tsdb", "region")).startsWith("2");
  }
}
