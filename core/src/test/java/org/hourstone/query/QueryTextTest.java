package org.hourstone.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Set;
import org.hourstone.query.TagFilter.LiteralOr;
import org.hourstone.query.TagFilter.Wildcard;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QueryTextTest {
  @Test
  void anExpressionNamesAggregatorDownsamplingMetricAndFilters() {
    Query query = Query.parse("avg:5m-max:explicit_tags:sys.cpu{host=*,dc=lga|sfo}{cpu=0,rack=R*}");
    assertThat(query.aggregator()).isEqualTo(Aggregator.AVG);
    assertThat(query.downsample()).isEqualTo(Downsample.fixed(300_000, Aggregator.MAX));
    assertThat(query.metric()).isEqualTo("sys.cpu");
    assertThat(query.explicitTags()).isTrue();
    assertThat(query.filters())
        .isEqualTo(
            List.of(
                new Wildcard("host", "*", false, true),
                new LiteralOr("dc", Set.of("lga", "sfo"), true),
                new LiteralOr("cpu", Set.of("0"), false),
                new Wildcard("rack", "R*", true, false)));
  }

  @Test
  void theFirstBracesMayBeEmpty() {
    assertThat(Query.parse("sum:m{}{host=a}").filters())
        .isEqualTo(List.of(new LiteralOr("host", Set.of("a"), false)));
    assertThat(Query.parse("sum:m{}").filters()).isEmpty();
    assertThat(Query.parse("sum:m{host=literal_or(a|b),dc=iwildcard(L*)}").filters())
        .isEqualTo(
            List.of(
                new LiteralOr("host", Set.of("a", "b"), true),
                new Wildcard("dc", "L*", true, true)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "sum",
        "sum:",
        "nosuch:m",
        "sum:m{",
        "sum:m}",
        "sum:m{host}",
        "sum:m{host=}",
        "sum:m{=a}",
        "sum:m{host=a}x",
        "sum:m{host=a}{",
        "sum:m{a=b}{c=d}{e=f}",
        "sum:what:m",
        "sum:5m:m",
        "sum:m{host=regex(a)}",
        "sum:m{host=|}"
      })
  void whatIsWrongWithAnExpressionIsSaid(String expression) {
    assertThatThrownBy(() -> Query.parse(expression))
        .isInstanceOf(IllegalArgumentException.class)
        .message()
        .isNotBlank();
  }

  @ParameterizedTest
  @CsvSource({
    "web*, web01, true",
    "web*, xweb01, false",
    "*01, web01, true",
    "*01, web012, false",
    "w*b*1, web01, true",
    "w*b*1, wb1, true",
    "web*eb, web, false",
    "*a*b*, xaxbx, true",
    "*a*b*, xbxax, false",
    "**, '', true",
  })
  void aWildcardIsAnchoredAtBothEnds(String pattern, String value, boolean matches) {
    assertThat(new Wildcard("host", pattern, false, true).matches(value)).isEqualTo(matches);
  }

  @Test
  void caseCountsUnlessToldOtherwise() {
    assertThat(new Wildcard("host", "WEB*", false, true).matches("web01")).isFalse();
    assertThat(new Wildcard("host", "WEB*", true, true).matches("web01")).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "now, 1500001200000",
    "1h-ago, 1499997600000",
    "500ms-ago, 1500001199500",
    "1d-ago, 1499914800000",
    "1500001200, 1500001200000",
    "1500001200123, 1500001200123",
    "1500001200.123, 1500001200123",
    "1500001200.5, 15000012005",
    "4294967296, 4294967296000",
    "1500001200000ms, 1500001200000",
    "2017/07/14, 1499983200000",
    "2017/07/14-03:00, 1499994000000",
    "2017/07/14-03:00:05, 1499994005000",
    "2017/07/14 03:00:05, 1499994005000",
  })
  void timesAreRelativeDatesOrEpochs(String text, long millis) {
    assertThat(
            TimeText.parseMillis(
                text, Instant.ofEpochSecond(1500001200), ZoneId.of("Europe/Berlin")))
        .isEqualTo(millis);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "yesterday",
        "1x-ago",
        "-ago",
        "999999999999y-ago",
        "2017/13/01",
        "2017/1",
        "12-30",
        "-5"
      })
  void whatIsNoTimeIsRefused(String text) {
    assertThatThrownBy(() -> TimeText.parseMillis(text, Instant.EPOCH, ZoneId.of("UTC")))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aRangeEndsAfterItsStart() {
    assertThatThrownBy(() -> Query.metric("m").betweenMillis(5, 5))
        .hasMessageContaining("End time [5] must be greater than the start time [5]");
  }
}
