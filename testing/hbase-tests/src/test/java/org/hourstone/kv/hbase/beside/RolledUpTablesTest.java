package org.hourstone.kv.hbase.beside;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hourstone.kv.hbase.beside.ReadAlikeContract.HOUR;
import static org.hourstone.kv.hbase.beside.ReadAlikeContract.host;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.hourstone.RollupSettings;
import org.hourstone.Setting;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.hbase.NeedsHBase;
import org.hourstone.kv.Change;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.rollup.RollupInterval;
import org.hourstone.testkit.store.ModelStore;
import org.hourstone.tool.Admin;
import org.hourstone.tool.CopyListener;
import org.hourstone.tool.CopyOptions;
import org.hourstone.tool.CopyScope;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Rollups that a database of ours has computed are copied to HBase, without their points, and read
 * there by OpenTSDB; those that OpenTSDB writes are read by ours.
 */
@NeedsHBase
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RolledUpTablesTest {
  private static final String INTERVALS =
      "{\"aggregationIds\":{\"sum\":0,\"count\":1,\"min\":2,\"max\":3},\"intervals\":["
          + "{\"interval\":\"1m\",\"rowSpan\":\"1h\",\"defaultInterval\":true,"
          + "\"table\":\"tsdb\",\"preAggregationTable\":\"tsdb-preagg\"},"
          + "{\"interval\":\"10m\",\"rowSpan\":\"1d\","
          + "\"table\":\"tsdb-rollup-10m\",\"preAggregationTable\":\"tsdb-preagg-10m\"},"
          + "{\"interval\":\"1h\",\"rowSpan\":\"1d\","
          + "\"table\":\"tsdb-rollup-1h\",\"preAggregationTable\":\"tsdb-preagg-1h\"},"
          + "{\"interval\":\"1d\",\"rowSpan\":\"1y\","
          + "\"table\":\"tsdb-rollup-1d\",\"preAggregationTable\":\"tsdb-preagg-1d\"}]}";

  private static final Map<Setting<?>, String> ROLLUPS =
      Map.of(Settings.ROLLUPS_ENABLE, "true", Settings.ROLLUPS_CONFIG, INTERVALS);

  /** Of the 3 days from 2017-07-15T00:00:00Z. */
  private static final long FROM = 1_500_076_800;

  private static final long DAY = 86_400;
  private static final List<String> HOSTS = List.of("a", "b", "c");

  /** OpenTSDB 2.4.0 counts rolled-up values, not the points in them, and refuses averages. */
  private static final List<String> FUNCTIONS = List.of("sum", "min", "max");

  private static final List<String> USAGES =
      List.of("", "rollup_nofallback:", "rollup_fallback:", "rollup_fallback_raw:", "rollup_raw:");

  private final KeyValueStore store = new ModelStore(InstantSource.system());
  private BothSides sides;
  private RolledCells cells;

  @BeforeAll
  void rollUpAndCopy() {
    sides = BothSides.open(ROLLUPS, Map.of());
    cells = new RolledCells(sides);
    TsdbOptions options = options();
    try (Tsdb computing = Tsdb.over(store, options.with(RollupSettings.AUTO, "10m,1h,1d"))) {
      putPoints(computing);
      assertThat(computing.ownRollups().orElseThrow().run(() -> false, range -> {}, rows -> {}))
          .isPositive();
    }
    try (Tsdb computed = Tsdb.over(store, options)) {
      Admin.of(computed)
          .copyTo(
              sides.tsdb(),
              CopyScope.everything(),
              new CopyOptions(CopyOptions.Policy.REFUSE, false, 1),
              copied())
          .run(null);
    }
    deleteAll(sides.tsdb().engine().tables().points());
  }

  private static CopyListener copied() {
    return new CopyListener() {
      @Override
      public void differs(String what) {
        throw new AssertionError(what);
      }

      @Override
      public void note(String what) {
        throw new AssertionError(what);
      }
    };
  }

  private static TsdbOptions options() {
    TsdbOptions options = TsdbOptions.defaults();
    for (Map.Entry<Setting<?>, String> setting : ROLLUPS.entrySet()) {
      options = options.with(setting.getKey(), setting.getValue());
    }
    return options;
  }

  /** Integers of one metric, decimals of another, with gaps of some hours. */
  private static void putPoints(Tsdb to) {
    for (int host = 0; host < HOSTS.size(); host++) {
      for (long time = FROM + host; time < FROM + 3 * DAY; time += 300) {
        long number = (time - FROM) / 300;
        if (number / 24 % 7 != host) {
          Instant at = Instant.ofEpochSecond(time);
          to.put("rolled.whole", at, number * (host - 1) * 1_000_003, host(HOSTS.get(host)));
          to.put("rolled.decimal", at, number * 0.25 - host, host(HOSTS.get(host)));
        }
      }
    }
    to.flush();
  }

  private void deleteAll(Family family) {
    KeyValueStore hbase = sides.tsdb().engine().store();
    try (RowCursor rows = hbase.scan(family, Scan.all())) {
      for (Row row = rows.next(); row != null; row = rows.next()) {
        hbase.mutate(family, List.of(new RowMutation(row.key(), new Change.DeleteRow())));
      }
    }
  }

  @AfterAll
  void close() {
    sides.close();
    store.close();
  }

  @Test
  void whatWeRolledUpIsReadAlike() {
    try (Tsdb points = Tsdb.over(store, TsdbOptions.defaults())) {
      for (String metric : List.of("rolled.whole", "rolled.decimal")) {
        for (String interval : List.of("10m", "30m", "1h", "6h", "1d")) {
          for (String function : FUNCTIONS) {
            String m = "sum:" + interval + "-" + function + ":" + metric + "{host=*}";
            String query = "/api/query?start=" + FROM + "&end=" + (FROM + 3 * DAY - 1) + "&m=";
            String uri = query + m.replace("{", "%7B").replace("}", "%7D");
            Answer theirs = sides.theirs("GET", uri, "");
            assertThat(theirs).as(m).isEqualTo(sides.ours("GET", uri, ""));
            assertThat(theirs.body()).as(m).hasSize(HOSTS.size());
            assertThat(theirs).as(m).isEqualTo(BothSides.answer(points, uri));
          }
        }
      }
    }
  }

  @Test
  void whatItStoresIsReadAlike() {
    StringBuilder body = new StringBuilder();
    for (int i = 0; i < 24; i++) {
      for (String function : List.of("sum", "count")) {
        body.append(body.isEmpty() ? '[' : ',')
            .append("{\"metric\":\"rolled.theirs\",\"timestamp\":")
            .append(HOUR + i * 3_600L)
            .append(",\"value\":")
            .append(function.equals("sum") ? i * 0.5 : i + 1)
            .append(",\"tags\":{\"host\":\"a\"},\"interval\":\"1h\",\"aggregator\":\"")
            .append(function)
            .append("\"}");
      }
    }
    assertThat(sides.theirs("POST", "/api/rollup?details", body + "]").body().path("success"))
        .hasToString("48");
    String uri = "/api/query?start=" + HOUR + "&m=sum:1h-sum:rolled.theirs";
    ReadAlikeContract.await("the values", () -> sides.theirs("GET", uri, "").points().size() == 24);
    assertThat(sides.ours("GET", uri, "")).isEqualTo(sides.theirs("GET", uri, ""));
    assertThat(sides.ours("GET", uri.replace("1h-sum", "1h-count"), "").points())
        .containsEntry(HOUR, 1.0)
        .containsEntry(HOUR + 23 * 3_600, 24.0);
  }

  /** Also counts, which it does not read as such: the same values of the same type. */
  @Test
  void whatWeRolledUpHasTheCellsThatItStores() {
    for (String metric : List.of("rolled.whole", "rolled.decimal")) {
      List<RolledCell> ours =
          cells.of("1h", metric).stream().filter(each -> each.time() < FROM + DAY).toList();
      assertThat(ours).hasSizeGreaterThan(4 * 19);
      cells.store("1h", metric + ".again", ours);
      assertThat(cells.of("1h", metric + ".again")).containsExactlyElementsOf(ours);
    }
  }

  /**
   * Values that no points have show what was read: points, or an interval. Where OpenTSDB 2.4.0
   * falls back to points, it downsamples these to other buckets than those of the query, or not.
   */
  @Test
  void whatIsReadIsChosenAlike() {
    putPoints("chosen.points", "chosen.short", "chosen.both");
    cells.store("10m", "chosen.short", RolledCell.ofDay(FROM, "10m", 1_000));
    cells.store("10m", "chosen.both", RolledCell.ofDay(FROM, "10m", 1_000));
    cells.store("1h", "chosen.both", RolledCell.ofDay(FROM, "1h", 1_000_000));
    try (Tsdb strict = sides.oursWith(Settings.STRICT, "doubles,annotations,rollups")) {
      for (String metric : List.of("chosen.points", "chosen.short", "chosen.both")) {
        for (String usage : USAGES) {
          for (String interval : List.of("5m", "10m", "1h", "90m", "6h", "1d")) {
            for (String function : FUNCTIONS) {
              String m = interval + "-" + function + ":" + metric;
              String uri = uri(usage + m);
              String same = endsAtPoints(metric, usage, m) ? uri("rollup_raw:" + m) : uri;
              Answer theirs = sides.theirs("GET", same, "");
              assertThat(sides.ours("GET", uri, "")).as(uri).isEqualTo(theirs);
              assertThat(BothSides.answer(strict, uri)).as(uri).isEqualTo(theirs);
            }
          }
        }
      }
    }
  }

  private boolean endsAtPoints(String metric, String usage, String m) {
    boolean hasNoOther = metric.equals("chosen.points") || usage.contains("fallback_raw");
    return usage.contains("_fallback")
        && hasNoOther
        && sides.theirs("GET", uri(m), "").points().isEmpty();
  }

  /** If the values that OpenTSDB has are those of the points, so are results. */
  @Test
  void resultsFromItsTablesAreThoseOfPoints() {
    putPoints("chosen.true");
    cells.store("1h", "chosen.true", RolledCell.ofDay(FROM, "1h", 0));
    for (String interval : List.of("1h", "2h", "6h", "12h")) {
      for (String function : List.of("sum", "count", "min", "max", "avg")) {
        String m = interval + "-" + function + ":chosen.true";
        Answer points = sides.ours("GET", uri("rollup_raw:" + m), "");
        assertThat(points.points()).as(m).hasSize((int) (DAY / RollupInterval.seconds(interval)));
        assertThat(sides.ours("GET", uri(m), "")).as(m).isEqualTo(points);
        if (FUNCTIONS.contains(function)) {
          assertThat(sides.theirs("GET", uri(m), "")).as(m).isEqualTo(points);
        }
      }
    }
  }

  private static String uri(String m) {
    return "/api/query?start=" + FROM + "&end=" + (FROM + DAY - 1) + "&m=sum:" + m;
  }

  /** Every ten minutes of a day the number of the point. */
  private void putPoints(String... metrics) {
    for (String metric : metrics) {
      List<String> lines = new ArrayList<>();
      for (int i = 0; i < DAY / RolledCell.SECONDS_OF_A_POINT; i++) {
        lines.add(
            "put "
                + metric
                + " "
                + (FROM + i * RolledCell.SECONDS_OF_A_POINT)
                + " "
                + i
                + " host=a");
      }
      sides.telnet(lines);
      ReadAlikeContract.await(
          "the points",
          () ->
              sides.theirs("GET", uri("rollup_raw:10m-sum:" + metric), "").points().size()
                  == lines.size());
    }
  }
}
