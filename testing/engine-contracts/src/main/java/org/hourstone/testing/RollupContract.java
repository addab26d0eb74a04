package org.hourstone.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.api.Api;
import org.hourstone.api.Telnet;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.kv.Family;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.Scan;
import org.hourstone.uid.UidKind;
import org.junit.jupiter.api.Test;

/**
 * Rollups and pre-aggregates over a store: the tables they are written to, and those that are
 * refused.
 */
public abstract class RollupContract extends DatabaseCase {
  private static final HexFormat HEX = HexFormat.of();
  public static final String SETTING =
      """
      {"aggregationIds": {"sum": 0, "count": 1, "avg": 2, "max": 3},
       "intervals": [
         {"table": "tsdb", "preAggregationTable": "preagg", "interval": "1m",
          "rowSpan": "1h", "defaultInterval": true},
         {"table": "rollup", "preAggregationTable": "rollup-preagg", "interval": "1h",
          "rowSpan": "1d"}]}
      """;

  @Override
  protected final TsdbOptions options() {
    return TsdbOptions.defaults()
        .with(Settings.CREATE_TABLES, "true")
        .with(Settings.ROLLUPS_ENABLE, "true")
        .with(Settings.ROLLUPS_CONFIG, SETTING)
        .withClock(fixture.clock());
  }

  /**
   * The cells outside of the UID table and of Hourstone's own tables as "table row qualifier
   * value".
   */
  private List<String> cells() {
    db.flush();
    List<String> cells = new ArrayList<>();
    for (Family family : store.families()) {
      if (family.table().matches("tsdb-(uid|index|journal|store)")) {
        continue;
      }
      try (RowCursor rows = store.scan(family, Scan.all())) {
        for (Row row = rows.next(); row != null; row = rows.next()) {
          for (int i = 0; i < row.size(); i++) {
            cells.add(
                String.join(
                    " ",
                    family.table(),
                    HEX.formatHex(row.key()),
                    HEX.formatHex(row.qualifier(i)),
                    HEX.formatHex(row.value(i))));
          }
        }
      }
    }
    return cells;
  }

  private String telnet(String line) {
    return new Telnet(db).respond(line).join();
  }

  private ApiResponse post(String fields) {
    String body =
        "{'metric':'m','timestamp':1500004800,'value':7,'tags':{'host':'web01'}," + fields + "}";
    return new Api(db).respond(ApiCall.of("POST", "/api/rollup?details", body.replace('\'', '"')));
  }

  @Test
  final void theTablesOfTheSettingAreThere() {
    assertThat(store.families())
        .extracting(Family::toString)
        .contains("tsdb:t", "preagg:t", "rollup:t", "rollup-preagg:t");
  }

  @Test
  final void theTableOfAValueDependsOnItsKind() {
    assertThat(telnet("rollup 1h-sum m 1500004800 1 host=web01")).isEmpty();
    assertThat(telnet("rollup 1h-sum:max m 1500004800 2.5 host=web01")).isEmpty();
    assertThat(telnet("rollup max m 1500004805 3 host=web01")).isEmpty();
    assertThat(post("'interval':'1h','aggregator':'COUNT'").status()).isEqualTo(200);

    assertThat(cells())
        .containsExactly(
            "preagg 000001596841c0000001000001000002000002 0050 03",
            "rollup 00000159680980000001000001 000040 01",
            "rollup 00000159680980000001000001 010040 07",
            "rollup-preagg 00000159680980000001000001000002000002 00004b 40200000");
  }

  @Test
  final void theTagOfTheAggregationMayBeGivenIfItSaysTheSame() {
    assertThat(telnet("rollup max m 1500004805 3 host=web01 _aggregate=Max")).isEmpty();
    assertThat(telnet("rollup max m 1500004805 3 host=web01 _aggregate=SUM"))
        .startsWith("rollup: illegal argument: ")
        .contains("_aggregate=SUM", "max");

    assertThat(cells()).hasSize(1);
  }

  @Test
  final void derivedAggregationsAreRefusedUnlessTheyAreAllowed() {
    for (String kind : List.of("1h-avg", "avg", "1h-sum:dev", "1h-sum:AVG")) {
      assertThat(telnet("rollup " + kind + " m 1500004800 1 host=web01"))
          .describedAs(kind)
          .contains("Derived", "tsd.rollups.block_derived");
    }
    useInstead(options().with(Settings.ROLLUPS_BLOCK_DERIVED, "false"));
    assertThat(telnet("rollup 1h-avg m 1500004800 1 host=web01")).isEmpty();
    assertThat(telnet("rollup avg m 1500004800 1 host=web01")).isEmpty();
    assertThat(cells()).hasSize(2);
  }

  @Test
  final void theDefaultIntervalIsNotWrittenAmongPointsUnlessConfigured() {
    assertThat(telnet("rollup 1m-count m 1500004860 1 host=web01"))
        .contains("1m", "hourstone.strict=rollups");
    assertThat(cells()).isEmpty();

    useInstead(options().with(Settings.STRICT, "rollups"));
    assertThat(telnet("rollup 1m-count m 1500004860 1 host=web01")).isEmpty();
    assertThat(cells()).containsExactly("tsdb 000001596841c0000001000001 010010 01");
  }

  @Test
  final void whatIsWrongIsSaidAndCreatesNoNames() {
    assertThat(telnet("rollup 7h-sum m 1500004800 1 host=web01")).contains("7h");
    assertThat(telnet("rollup 1h-dev m 1500004800 1 host=web01"))
        .contains("No ID found mapping to aggregator: dev");
    assertThat(telnet("rollup 1h- m 1500004800 1 host=web01")).contains("'1h-'");
    assertThat(telnet("rollup 1h-sum m 1500004800000 1 host=web01")).contains("bad timestamp");
    assertThat(telnet("rollup 1h-sum m 1500004800 x host=web01"))
        .startsWith("rollup: invalid value: ");
    assertThat(telnet("rollup 1h-sum m 1500004800 1")).contains("need least 5, got 4");
    assertThat(telnet("rollup")).contains("need least 5, got 0");
    assertThat(post("'interval':'7h','aggregator':'sum'").body()).contains("7h", "\"failed\":1");
    assertThat(post("'aggregator':'sum'").body()).contains("Neither an interval nor");
    assertThat(cells()).isEmpty();
    assertThat(db.uids().find(UidKind.METRIC, "m")).isNull();
  }

  @Test
  final void aQueryThatRollupsAnswerIsNotAnsweredFromPoints() {
    String query = "/api/query?start=1500001200&end=1500008400&m=sum:";
    assertThat(telnet("put m 1500004800 1 host=web01")).isEmpty();

    assertThat(new Api(db).respond(ApiCall.of("GET", query + "2h-sum:m", "")).body())
        .isEqualTo("[]");
    assertThat(new Api(db).respond(ApiCall.of("GET", query + "5m-sum:m", "")).body())
        .contains("1500004800");
  }

  @Test
  final void inStrictModeAnUnknownIntervalIsUnexpected() {
    useInstead(options().with(Settings.STRICT, "points"));

    assertThat(post("'interval':'7h','aggregator':'sum'").body())
        .contains("\"error\":\"Unexpected exception\"");
  }

  @Test
  final void withoutTheSettingEverythingIsRefused() {
    useInstead(options().with(Settings.ROLLUPS_ENABLE, "false"));

    assertThat(telnet("rollup 1h-sum m 1500004800 1 host=web01"))
        .isEqualTo("rollup: illegal argument: No rollup or aggregations were configured\n");
  }

  @Test
  final void aWrongSettingIsNamedWhenTheDatabaseIsOpened() {
    TsdbOptions wrong = options().with(Settings.ROLLUPS_CONFIG, "{}");

    assertThatIllegalArgumentException()
        .isThrownBy(() -> Tsdb.over(store, wrong))
        .withMessage("tsd.rollups.config: no aggregationIds");
  }
}
