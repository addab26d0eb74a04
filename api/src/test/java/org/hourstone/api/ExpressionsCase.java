package org.hourstone.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.hourstone.Settings;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.expression.ExpressionEngine;
import org.hourstone.query.SeriesCursor;
import org.hourstone.testkit.ManualClock;
import org.hourstone.testkit.store.ModelStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A database on the heap and its API, for expressions. */
abstract class ExpressionsCase {
  static final long START = 1_500_001_200;
  static final Tags WEB01 = Tags.of("host", "web01");
  static final Tags WEB02 = Tags.of("host", "web02");

  final ModelStore store = new ModelStore(new ManualClock(Instant.parse("2026-01-01T00:00:00Z")));
  Tsdb db;
  Api api;

  @BeforeEach
  final void open() {
    use(TsdbOptions.defaults().with(Settings.COMPACTION_BACKGROUND, "false"));
  }

  final void use(TsdbOptions options) {
    db = Tsdb.over(store, options);
    api = new Api(db);
  }

  @AfterEach
  void close() {
    db.close();
    store.close();
  }

  void put(String metric, Tags tags, Object... secondsAndValues) {
    for (int i = 0; i < secondsAndValues.length; i += 2) {
      Instant time = Instant.ofEpochSecond(START + (int) secondsAndValues[i]);
      if (secondsAndValues[i + 1] instanceof Double value) {
        db.put(metric, time, value, tags);
      } else {
        db.put(metric, time, ((Number) secondsAndValues[i + 1]).longValue(), tags);
      }
    }
    db.flush();
  }

  /** The response over a minute, one line a series: {@code metric{tags}: second=value …}. */
  List<String> ask(String expression) {
    List<String> response = new ArrayList<>();
    Instant start = Instant.ofEpochSecond(START);
    try (SeriesCursor cursor =
        ExpressionEngine.of(db).evaluate(expression, start, start.plusSeconds(60))) {
      cursor.forEach(
          series -> {
            StringBuilder line = new StringBuilder(series.metric() + series.tags() + ":");
            for (int i = 0; i < series.size(); i++) {
              line.append(' ').append(series.millis(i) / 1000 - START);
              line.append('=').append(series.text(i));
            }
            response.add(line.toString());
          });
    }
    return response;
  }

  ApiResponse gexp(String parameters) {
    return api.respond(
        ApiCall.of(
            "GET",
            "/api/query/gexp?start=" + START + "&end=" + (START + 60) + "&" + parameters,
            ""));
  }

  ApiResponse exp(String body) {
    return api.respond(
        ApiCall.of(
            "POST",
            "/api/query/exp",
            ("{'time':{'start':'"
                    + START
                    + "','end':'"
                    + (START + 60)
                    + "','aggregator':'sum'},"
                    + "'filters':[{'id':'f','tags':[{'type':'wildcard','tagk':'host','filter':'*',"
                    + "'groupBy':true}]}],"
                    + body
                    + "}")
                .replace('\'', '"')));
  }

  static final String METRICS =
      "'metrics':[{'id':'a','metric':'a','filter':'f'},{'id':'b','metric':'b','filter':'f'}]";

  static String rows(ApiResponse response) {
    assertThat(response.status()).as(response.body()).isEqualTo(200);
    return response.body().replaceAll(".*?\"dps\":(\\[.*?]),\"dpsMeta.*", "$1");
  }

  void putTwoHosts() {
    put("a", WEB01, 0, 6, 10, 8);
    put("a", WEB02, 0, 1);
    put("b", WEB01, 0, 2, 10, 0);
    put("b", Tags.of("host", "web03"), 20, 7.5);
  }
}
