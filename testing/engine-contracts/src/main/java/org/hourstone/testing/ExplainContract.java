package org.hourstone.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;

import java.util.List;
import org.hourstone.Settings;
import org.hourstone.api.Api;
import org.hourstone.api.request.ApiCall;
import org.hourstone.error.RequestException;
import org.hourstone.query.Explanation;
import org.hourstone.query.Explanation.Part;
import org.hourstone.query.Explanation.Value;
import org.hourstone.query.Query;
import org.hourstone.write.Receipt;
import org.junit.jupiter.api.Test;

/** If a store passes this, queries over it are explained as they are answered. */
public abstract class ExplainContract extends TsdbCase {
  private static Query seconds(String expression, long from, long to) {
    return Query.parse(expression).between(START.plusSeconds(from), START.plusSeconds(to));
  }

  /** A: 1 at 1 s, 4 at 3 s; B: 10 at 2 s, 21 at 4 s: the series of docs/query.md. */
  private void putWorkedSeries() {
    db.put("m", START.plusSeconds(1), 1, WEB01);
    db.put("m", START.plusSeconds(3), 4, WEB01);
    db.put("m", START.plusSeconds(2), 10, WEB02);
    db.put("m", START.plusSeconds(4), 21, WEB02);
    db.flush();
  }

  /** The values' texts and where they come from, as {@code text: KIND seconds=value …; …}. */
  private List<String> at(String expression, long second) {
    Explanation explanation = db.explain(seconds(expression, 0, 100), START.plusSeconds(second));
    return explanation.values().stream().map(ExplainContract::text).toList();
  }

  private static String text(Value value) {
    StringBuilder text = new StringBuilder(String.valueOf(value.text())).append(':');
    for (Explanation.Origin origin : value.origins()) {
      text.append(' ').append(origin.kind());
      for (Explanation.Point point : origin.points()) {
        text.append(' ').append(point.millis() / 1000.0 - HOUR).append('=').append(point.text());
      }
      text.append(';');
    }
    return text.toString();
  }

  @Test
  final void aValueIsComputedFromPointsAndInterpolatedValues() {
    putWorkedSeries();
    assertThat(at("sum:m", 1)).containsExactly("1: POINTS 1.0=1; NOTHING;");
    assertThat(at("sum:m", 2)).containsExactly("12: BETWEEN 1.0=1 3.0=4; POINTS 2.0=10;");
    assertThat(at("sum:m", 3)).containsExactly("19: POINTS 3.0=4; BETWEEN 2.0=10 4.0=21;");
    assertThat(at("sum:m", 4)).containsExactly("21: NOTHING; POINTS 4.0=21;");
    assertThat(at("zimsum:m", 2)).containsExactly("10: CONSTANT; POINTS 2.0=10;");
    assertThat(at("pfsum:m", 3)).containsExactly("14: POINTS 3.0=4; HELD 2.0=10;");
    assertThat(at("sum:m{host=*}", 3))
        .containsExactly("4: POINTS 3.0=4;", "null: BETWEEN 2.0=10 4.0=21;");
    assertThat(at("none:m{host=web02}", 2)).containsExactly("10: POINTS 2.0=10;");
  }

  @Test
  final void aBucketIsComputedFromItsPointsAndARateFromTwo() {
    putWorkedSeries();
    db.put("m", START.plusSeconds(12), 100, WEB02);
    db.flush();
    assertThat(at("sum:10s-sum:m", 0))
        .containsExactly("36.0: POINTS 1.0=1 3.0=4; POINTS 2.0=10 4.0=21;");
    assertThat(at("sum:10s-max-zero:m", 10)).containsExactly("100.0: FILLED; POINTS 12.0=100;");
    assertThat(at("sum:0all-sum:m", 0))
        .containsExactly("136.0: POINTS 1.0=1 3.0=4; POINTS 2.0=10 4.0=21 12.0=100;");
    assertThat(at("none:rate:m{host=web01}", 3)).containsExactly("1.5: POINTS 1.0=1 3.0=4;");
    assertThat(at("none:rate:10s-max:m{host=web02}", 10))
        .containsExactly("7.9: POINTS 2.0=10 4.0=21 12.0=100;");
  }

  @Test
  final void thePlanTellsWhichRowsAreReadAndHowSeriesAreFound() {
    putWorkedSeries();
    Explanation explanation =
        db.explain(seconds("sum:10s-sum:m{host=web01}{host=regexp(w)}", 0, 9));
    Part part = explanation.parts().get(0);
    assertThat(explanation.parts()).hasSize(1);
    assertThat(part.source()).isEqualTo("points");
    assertThat(part.rows().table()).isEqualTo("tsdb:t");
    assertThat(part.rows().fromSeconds()).isEqualTo(HOUR - 3600);
    assertThat(part.rows().toSeconds()).isEqualTo(HOUR + 7200);
    assertThat(part.rows().saltBuckets()).isEqualTo(1);
    assertThat(part.filters().byKey()).containsExactly("host=literal_or(web01)");
    assertThat(part.filters().byName()).containsExactly("host=regexp(w)");
    assertThat(part.downsampledAsRead()).isTrue();
    assertThat(part.answered()).isTrue();
    assertThat(explanation.cost().rows()).isEqualTo(1);
    assertThat(explanation.cost().points()).isEqualTo(2);
    assertThat(explanation.cost().series()).isEqualTo(1);
    assertThat(explanation.values()).isEmpty();
    assertThat(db.explain(seconds("sum:m", 7200, 7300)).parts().get(0).answered()).isFalse();
  }

  @Test
  final void theApiTellsItBehindTheSeries() {
    putWorkedSeries();
    String query = "/api/query?start=" + HOUR + "&end=" + (HOUR + 9) + "&m=sum:m&explain=true";
    assertThat(new Api(db).respond(ApiCall.of("GET", query, "")).body())
        .contains("},{\"explain\":[{\"query\":\"sum:m\",\"parts\":[{\"source\":\"points\",")
        .doesNotContain("origins")
        .endsWith("}]}]");
    String at = query + "&explain_at=" + (HOUR + 2);
    assertThat(new Api(db).respond(ApiCall.of("GET", at, "")).body())
        .contains(
            "\"value\":\"12\",\"origins\":[{\"tsuid\":\"000001000001000001\",\"gives\":\"between\","
                + "\"points\":[[1500001201000,\"1\"],[1500001203000,\"4\"]],\"more\":0}");
  }

  @Test
  final void partsAndPathsOfRollupsAreExplained() {
    with(
        Settings.ROLLUPS_CONFIG,
        """
        {"aggregationIds": {"sum": 0, "count": 1},
         "intervals": [
           {"table": "tsdb", "preAggregationTable": "preagg", "interval": "1m",
            "rowSpan": "1h", "defaultInterval": true},
           {"table": "rollup", "preAggregationTable": "rollup-preagg", "interval": "1h",
            "rowSpan": "1d"}]}
        """);
    with(Settings.ROLLUPS_ENABLE, "true");
    putWorkedSeries();
    Query query =
        Query.parse("sum:2h-sum:rollup_fallback_raw:m")
            .between(START.minusSeconds(3600), START.plusSeconds(3600));
    assertThat(db.explain(query).parts())
        .extracting(Part::source, Part::answered)
        .containsExactly(tuple("rollup 1h", false), tuple("points", true));
    db.rollups().putTelnetLine("rollup 1h-sum m " + HOUR + " 7 host=web01", new Stored(), 0);
    db.flush();
    Explanation explanation = db.explain(query, START.minusSeconds(3600));
    assertThat(explanation.parts()).extracting(Part::source).containsExactly("rollup 1h");
    assertThat(explanation.values())
        .extracting(ExplainContract::text)
        .containsExactly("7.0: POINTS 0.0=7.0;");
  }

  /** A receipt for a value that is stored. */
  private static final class Stored implements Receipt {
    @Override
    public void stored(long token) {}

    @Override
    public void failed(long token, RuntimeException reason) {
      throw reason;
    }
  }

  @Test
  final void histogramsHaveAPlanAndNoOrigins() {
    with(Settings.HISTOGRAMS_CONFIG, "{\"org.hourstone.histogram.SimpleHistogramCodec\": 42}");
    putWorkedSeries();
    Query query = seconds("sum:percentiles[50]:m", 0, 100);
    assertThat(db.explain(query).parts()).extracting(Part::source).containsExactly("histograms");
    assertThatExceptionOfType(RequestException.class).isThrownBy(() -> db.explain(query, START));
  }
}
