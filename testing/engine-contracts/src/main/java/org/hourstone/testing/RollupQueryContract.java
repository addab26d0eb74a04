package org.hourstone.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneId;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.api.Telnet;
import org.hourstone.error.RequestException;
import org.hourstone.query.Query;
import org.hourstone.series.Downsample;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** If a store passes this, queries are answered from rolled-up and pre-aggregated values. */
public abstract class RollupQueryContract extends TsdbCase {
  private static final String SETTING =
      """
      {"aggregationIds": {"sum": 0, "count": 1, "min": 2, "max": 3, "p99": 4},
       "intervals": [
         {"table": "tsdb", "preAggregationTable": "preagg", "interval": "1m",
          "rowSpan": "1h", "defaultInterval": true},
         {"table": "rollup-10m", "preAggregationTable": "preagg-10m", "interval": "10m",
          "rowSpan": "6h"},
         {"table": "rollup-1h", "preAggregationTable": "preagg-1h", "interval": "1h",
          "rowSpan": "1n", "delaySla": "2h"},
         {"table": "rollup-1d", "preAggregationTable": "preagg-1d", "interval": "1d",
          "rowSpan": "1y"}]}
      """;

  @BeforeEach
  final void configure() {
    with(Settings.ROLLUPS_CONFIG, SETTING);
    with(Settings.ROLLUPS_ENABLE, "true");
  }

  private void put(String kind, long second, double value, String tags) {
    String line = "rollup " + kind + " m " + (HOUR + second) + " " + value + " " + tags;
    assertThat(new Telnet(db).respond(line).join()).isEmpty();
  }

  private void put(String kind, long second, double value) {
    put(kind, second, value, "host=web01");
  }

  private static Query hours(String expression, long from, long to) {
    return Query.parse(expression)
        .between(START.plusSeconds(3600 * from), START.plusSeconds(3600 * to));
  }

  @Test
  final void theLongestIntervalThatDividesTheBucketsIsRead() {
    put("10m-sum", 0, 1);
    put("10m-sum", 600, 2);
    put("1h-sum", 0, 30);
    put("1h-sum", 3600, 40);
    db.put("m", START.plusSeconds(60), 1000, WEB01);
    db.flush();
    assertThat(ask(hours("sum:1h-sum:m", 0, 3)))
        .containsExactly("m{host=web01}[]: 0=30.0 3600=40.0");
    assertThat(ask(hours("sum:20m-sum:m", 0, 3))).containsExactly("m{host=web01}[]: 0=3.0");
    assertThat(ask(hours("sum:5m-sum:m", 0, 3))).containsExactly("m{host=web01}[]: 0=1000.0");
    assertThat(ask(hours("sum:1h-sum:rollup_raw:m", 0, 3)))
        .containsExactly("m{host=web01}[]: 0=1000.0");
    assertThat(ask(hours("sum:m", 0, 3))).containsExactly("m{host=web01}[]: 60=1000");
  }

  @Test
  final void nothingElseIsReadUnlessFallingBackIsAskedFor() {
    put("10m-sum", 0, 1);
    put("10m-sum", 3000, 2);
    db.put("m", START.plusSeconds(60), 1000, WEB01);
    db.put("n", START.plusSeconds(60), 1000, WEB01);
    db.flush();
    assertThat(ask(hours("sum:1h-sum:m", 0, 3))).isEmpty();
    assertThat(ask(hours("sum:1h-sum:rollup_nofallback:m", 0, 3))).isEmpty();
    assertThat(ask(hours("sum:1h-sum:rollup_fallback:m", 0, 3)))
        .containsExactly("m{host=web01}[]: 0=3.0");
    assertThat(ask(hours("sum:1h-sum:rollup_fallback_raw:m", 0, 3)))
        .containsExactly("m{host=web01}[]: 0=1000.0");
    assertThat(ask(hours("sum:1h-sum:rollup_fallback:n", 0, 3)))
        .containsExactly("n{host=web01}[]: 0=1000.0");
  }

  @Test
  final void averagesAreSumsDividedByCountsOfTheWholeBucket() {
    put("1h-sum", 0, 10);
    put("1h-count", 0, 1);
    put("1h-sum", 3600, 20);
    put("1h-count", 3600, 4);
    put("1h-sum", 7200, 7); // has no count
    put("1h-count", 10_800, 0);
    put("1h-sum", 10_800, 0);
    assertThat(ask(hours("sum:1h-avg:m", 0, 5)))
        .containsExactly("m{host=web01}[]: 0=10.0 3600=5.0 10800=0.0");
    // Buckets of 2 hours begin at even ones, in UTC: the first begins before the range.
    assertThat(ask(hours("sum:2h-avg:m", -1, 5)))
        .containsExactly("m{host=web01}[]: -3600=10.0 3600=5.0 10800=0.0");
    assertThat(ask(hours("sum:3h-avg:m", 0, 5)))
        .containsExactly("m{host=web01}[]: 0=6.0 10800=0.0");
  }

  @Test
  final void countsAreAddedAndOtherFunctionsAreAppliedToTheirOwnValues() {
    for (int hour = 0; hour < 3; hour++) {
      put("1h-count", 3600L * hour, 10 + hour);
      put("1h-min", 3600L * hour, -hour);
      put("1h-max", 3600L * hour, hour);
      put("1h-p99", 3600L * hour, 0.5 * hour);
    }
    assertThat(ask(hours("sum:3h-count:m", 0, 5))).containsExactly("m{host=web01}[]: 0=33.0");
    assertThat(ask(hours("sum:3h-min:m", 0, 5))).containsExactly("m{host=web01}[]: 0=-2.0");
    assertThat(ask(hours("sum:3h-mimmax:m", 0, 5))).containsExactly("m{host=web01}[]: 0=2.0");
    assertThat(ask(hours("sum:3h-p99:m", 0, 5))).containsExactly("m{host=web01}[]: 0=1.0");
    assertThatThrownBy(() -> ask(hours("sum:3h-dev:m", 0, 5)))
        .isInstanceOf(RequestException.class)
        .hasMessageContaining("rollup_raw");
    assertThatThrownBy(() -> ask(hours("sum:3h-median:m", 0, 5)))
        .hasMessage("No ID found mapping to aggregator: median");
  }

  @Test
  final void inStrictModeAveragesNeedAnIdAlthoughItIsNotRead() {
    put("1h-sum", 0, 10);
    put("1h-count", 0, 1);
    with(Settings.STRICT, "rollups");
    assertThatThrownBy(() -> ask(hours("sum:1h-avg:m", 0, 5)))
        .hasMessage("No ID found mapping to aggregator: avg");
    with(Settings.ROLLUPS_CONFIG, SETTING.replace("\"p99\"", "\"avg\""));
    assertThat(ask(hours("sum:1h-avg:m", 0, 5))).containsExactly("m{host=web01}[]: 0=10.0");
  }

  @Test
  final void inStrictModeNamesComeBeforeIdsAndIdsOfAveragesAfterRows() {
    put("1h-sum", 0, 10);
    db.put("points", START, 1, WEB01);
    db.flush();
    with(Settings.STRICT, "rollups");
    assertThatThrownBy(() -> ask(hours("sum:1h-pfsum:m", 0, 5)))
        .hasMessage("No ID found mapping to aggregator: pfsum");
    assertThatThrownBy(() -> ask(hours("sum:1h-mult:points", 0, 5)))
        .hasMessage("No ID found mapping to aggregator: multiply");
    assertThatThrownBy(() -> ask(hours("sum:1h-avg:unknown", 0, 5)))
        .hasMessage("No such name for 'metrics': 'unknown'");
    assertThatThrownBy(() -> ask(hours("sum:1h-dev:unknown", 0, 5)))
        .hasMessage("No such name for 'metrics': 'unknown'");
    assertThat(ask(hours("sum:1h-avg:points", 0, 5))).isEmpty();
    assertThat(ask(hours("sum:1h-zimsum:m", 0, 5))).containsExactly("m{host=web01}[]: 0=10.0");
  }

  @Test
  final void countsOfCellsAreNotCountsOfPointsInStrictModeEither() {
    put("1h-count", 0, 60);
    put("1h-count", 3600, 18);
    with(Settings.STRICT, "rollups");
    assertThat(ask(hours("none:3h-count:m", 0, 5))).containsExactly("m{host=web01}[]: 0=78.0");
  }

  @Test
  final void inStrictModeSeriesThatAreToBeCountedAreAddedWhereIntervalsAreConfigured() {
    put("1h-max", 0, 10);
    put("1h-max", 0, 20, "host=web02");
    db.put("m", START.plusSeconds(60), 3, WEB01);
    db.flush();
    assertThat(ask(hours("count:1h-max:m", 0, 5))).containsExactly("m{}[host]: 0=2.0");
    with(Settings.STRICT, "rollups");
    assertThat(ask(hours("count:1h-max:m", 0, 5))).containsExactly("m{}[host]: 0=30.0");
    assertThat(ask(hours("count:1h-max:rollup_raw:m", 0, 5)))
        .containsExactly("m{host=web01}[]: 0=1.0");
  }

  @Test
  final void inStrictModePreAggregatesAreReadHoweverTheyWereAggregated() {
    put("sum", 60, 5, "dc=lga");
    put("max", 60, 3, "dc=lga");
    with(Settings.STRICT, "rollups");
    assertThat(ask(hours("sum:pre-agg:m", 0, 3))).containsExactly("m{dc=lga}[_aggregate]: 60=8.0");
    assertThat(ask(hours("count:pre-agg:m", 0, 3)))
        .containsExactly("m{dc=lga}[_aggregate]: 60=2.0");
  }

  @Test
  final void rowsOfMonthsAndYearsAreReadAcrossTheirEnds() {
    for (int day = 0; day < 800; day++) {
      put("1d-sum", 86_400L * day, day);
      if (day % 10 == 0) {
        put("1h-sum", 86_400L * day, 1000 + day);
      }
    }
    Query years = Query.parse("sum:1d-sum:m").between(START, START.plus(Duration.ofDays(1000)));
    String[] answered = ask(years).get(0).split(" ");
    assertThat(answered).hasSize(800); // the first day began before the range
    assertThat(answered[799]).endsWith("=799.0");
    Query months = Query.parse("sum:1h-sum:m").between(START, START.plus(Duration.ofDays(1000)));
    assertThat(ask(months).get(0).split(" ")).hasSize(81);
    Query quarters =
        Query.parse("max:10d-max-zero:m").between(START, START.plus(Duration.ofDays(30)));
    assertThat(ask(quarters)).isEmpty();
  }

  @Test
  final void ratesGroupsAndFillsWorkAsOfPoints() {
    for (String host : new String[] {"web01", "web02"}) {
      for (int hour = 0; hour < 4; hour++) {
        double value = hour * 3600.0 * (host.equals("web01") ? 1 : 10);
        put("1h-max", 3600L * hour, value, "host=" + host);
      }
    }
    assertThat(ask(hours("sum:rate:1h-max:m", 1, 3)))
        .containsExactly("m{}[host]: 3600=11.0 7200=11.0 10800=11.0");
    assertThat(ask(hours("none:2h-max-zero:m{host=web02}", 1, 8)))
        .containsExactly("m{host=web02}[]: 3600=72000.0 10800=108000.0 18000=0.0 25200=0.0");
    assertThat(ask(hours("sum:4h-max:m{host=*}", -3, 8)))
        .containsExactly(
            "m{host=web01}[]: -10800=0.0 3600=10800.0",
            "m{host=web02}[]: -10800=0.0 3600=108000.0");
  }

  @Test
  final void saltedRollupsAreReadAlike() {
    with(Settings.SALT_WIDTH, "1");
    for (int host = 0; host < 30; host++) {
      put("1h-sum", 0, host, "host=h" + host);
      put("1h-sum", 3600, host, "host=h" + host);
    }
    assertThat(ask(hours("sum:1h-sum:m", 0, 3))).containsExactly("m{}[host]: 0=435.0 3600=435.0");
  }

  @Test
  final void preAggregatesAreThoseThatWereAggregatedAsTheQueryDoes() {
    put("sum", 60, 5, "dc=lga");
    put("max", 60, 3, "dc=lga");
    put("1h-sum:sum", 0, 50, "dc=lga");
    put("1h-sum:max", 0, 30, "dc=lga");
    db.put("m", START, 7, WEB01);
    db.flush();
    assertThat(ask(hours("sum:pre-agg:m", 0, 3)))
        .containsExactly("m{_aggregate=SUM, dc=lga}[]: 60=5.0");
    assertThat(ask(hours("max:pre-agg:m", 0, 3)))
        .containsExactly("m{_aggregate=MAX, dc=lga}[]: 60=3.0");
    assertThat(ask(hours("max:pre-agg:m{_aggregate=SUM}", 0, 3)))
        .containsExactly("m{_aggregate=SUM, dc=lga}[]: 60=5.0");
    assertThat(ask(hours("sum:1h-sum:pre-agg:m", 0, 3)))
        .containsExactly("m{_aggregate=SUM, dc=lga}[]: 0=50.0");
    assertThat(ask(hours("none:1h-sum:pre-agg:m", 0, 3))).hasSize(2);
    with(Settings.ROLLUPS_ENABLE, "false");
    assertThatThrownBy(() -> ask(hours("sum:pre-agg:m", 0, 3)))
        .hasMessageContaining("tsd.rollups.enable");
  }

  @Test
  final void whatIsTooNewToBeRolledUpIsReadAsPointsIfQueriesAreSplit() {
    for (int hour = 0; hour < 6; hour++) {
      put("1h-sum", 3600L * hour, 100 + hour);
      db.put("m", START.plusSeconds(3600L * hour + 1), 7, WEB01);
    }
    put("1h-sum", 0, 1, "host=web02");
    db.flush();
    InstantSource now = InstantSource.fixed(START.plusSeconds(5 * 3600 + 1800));
    db.close();
    db =
        Tsdb.over(store, db.engine().options().with(Settings.ROLLUPS_SPLIT, "true").withClock(now));
    assertThat(ask(hours("sum:1h-sum:m{host=*}", 0, 6)))
        .containsExactly(
            "m{host=web01}[]: 0=100.0 3600=101.0 7200=102.0 10800=7.0 14400=7.0 18000=7.0",
            "m{host=web02}[]: 0=1.0");
    assertThat(ask(hours("none:1h-sum:m{host=web01}", 0, 2)))
        .containsExactly("m{host=web01}[]: 0=100.0 3600=101.0 7200=102.0");
    assertThat(ask(hours("none:1h-sum:m{host=web01}", 4, 6)))
        .containsExactly("m{host=web01}[]: 14400=7.0 18000=7.0");
    assertThat(ask(hours("none:rate:1h-sum:m{host=web01}", 2, 6)).get(0)).contains(" 10800=0.0 ");
  }

  @Test
  final void intervalsOfUtcAreNotReadForDaysOfAnotherZone() {
    put("1d-sum", 0, 500);
    put("1h-sum", 0, 30);
    db.flush();
    Query query =
        Query.parse("sum:1dc-sum:m")
            .between(START.minus(Duration.ofDays(2)), START.plus(Duration.ofDays(2)));
    assertThat(ask(query)).containsExactly("m{host=web01}[]: -10800=500.0");
    Downsample days = Downsample.parse("1dc-sum").withZone(ZoneId.of("America/New_York"));
    Query local = query.downsample(days);
    assertThat(ask(local)).containsExactly("m{host=web01}[]: -82800=30.0");
  }
}
