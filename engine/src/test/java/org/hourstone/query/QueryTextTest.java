package org.hourstone.query;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import org.hourstone.error.RequestException;
import org.hourstone.query.plan.ValueMatch;
import org.hourstone.series.Aggregator;
import org.hourstone.series.Downsample;
import org.hourstone.series.RateOptions;
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
                new TagFilter(TagFilter.Type.WILDCARD, "host", "*", true),
                new TagFilter(TagFilter.Type.LITERAL_OR, "dc", "lga|sfo", true),
                new TagFilter(TagFilter.Type.LITERAL_OR, "cpu", "0", false),
                new TagFilter(TagFilter.Type.IWILDCARD, "rack", "R*", false)));
  }

  @Test
  void theFirstBracesMayBeEmpty() {
    assertThat(Query.parse("sum:m{}{host=a}").filters())
        .isEqualTo(List.of(new TagFilter(TagFilter.Type.LITERAL_OR, "host", "a", false)));
    assertThat(Query.parse("sum:m{}").filters()).isEmpty();
    assertThat(Query.parse("sum:m{host=literal_or(a|b),dc=iwildcard(L*)}").filters())
        .isEqualTo(
            List.of(
                new TagFilter(TagFilter.Type.LITERAL_OR, "host", "a|b", true),
                new TagFilter(TagFilter.Type.IWILDCARD, "dc", "L*", true)));
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
        "sum:m{host=regexp(()}",
        "sum:m{host=not_key(a)}",
        "sum:percentiles[a]:m",
        "sum:percentiles[101]:m",
        "sum:percentiles[50,1e-400]:m",
        "sum:1m-avg:rate:explicit_tags:pre-agg:m",
        "sum:m{host=|}"
      })
  void whatIsWrongWithAnExpressionIsSaid(String expression) {
    assertThatThrownBy(() -> Query.parse(expression))
        .isInstanceOf(RequestException.class)
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
    assertThat(matches(TagFilter.Type.WILDCARD, pattern, value, FilterDialect.HOURSTONE))
        .isEqualTo(matches);
  }

  @Test
  void caseCountsUnlessToldOtherwise() {
    assertThat(matches(TagFilter.Type.WILDCARD, "WEB*", "web01", FilterDialect.HOURSTONE))
        .isFalse();
    assertThat(matches(TagFilter.Type.IWILDCARD, "WEB*", "web01", FilterDialect.HOURSTONE))
        .isTrue();
    assertThat(matches(TagFilter.Type.LITERAL_OR, "WEB01|WEB02", "web01", FilterDialect.HOURSTONE))
        .isFalse();
    assertThat(matches(TagFilter.Type.ILITERAL_OR, "WEB01|WEB02", "web01", FilterDialect.HOURSTONE))
        .isTrue();
    assertThat(
            matches(TagFilter.Type.NOT_LITERAL_OR, "WEB01|WEB02", "web01", FilterDialect.HOURSTONE))
        .isTrue();
    assertThat(
            matches(
                TagFilter.Type.NOT_ILITERAL_OR, "WEB01|WEB02", "web01", FilterDialect.HOURSTONE))
        .isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "web*01, xweb01x, true",
    "web*01, web0, false",
    "*01, web01, true",
    "*01, web012, false",
    "web*, xweb, false",
    "*b*a*, xaxbx, true",
    "*b*b*, xbx, true",
    "*ba*, xab, false",
    "*b*a*, xxbxa, true",
    "**, '', true",
  })
  void inStrictModeAWildcardIsAnchoredOnlyByAStarAtTheOtherEnd(
      String pattern, String value, boolean matches) {
    assertThat(matches(TagFilter.Type.WILDCARD, pattern, value, FilterDialect.OPENTSDB))
        .isEqualTo(matches);
  }

  @Test
  void aRegularExpressionIsFoundAnywhereWithinABudget() {
    assertThat(matches(TagFilter.Type.REGEXP, "b0", "web01", FilterDialect.HOURSTONE)).isTrue();
    assertThat(matches(TagFilter.Type.REGEXP, "^b0", "web01", FilterDialect.HOURSTONE)).isFalse();
    TagFilter evil = new TagFilter(TagFilter.Type.REGEXP, "host", "(.*a){12}b", true);
    var match = ValueMatch.of(evil, FilterDialect.HOURSTONE, new RegexBudget(100_000, () -> {}));
    assertThatThrownBy(() -> match.test("a".repeat(60) + "!"))
        .isInstanceOf(QueryLimitException.class)
        .hasMessageContaining("(.*a){12}b")
        .hasMessageContaining("hourstone.query.limits.regex_steps");
  }

  @Test
  void strictlyAPercentileTooNearToZeroIsZero() {
    assertThat(
            QueryDraft.ofMetric("sum:percentiles[1e-400]:m", QueryDialect.OPENTSDB)
                .query(QueryDialect.OPENTSDB)
                .source())
        .isEqualTo(PointSource.DEFAULT.withHistograms(new HistogramView(List.of(0.0), false)));
  }

  @Test
  void ratesSourcesAndHistogramsAreOptions() {
    Query query =
        Query.parse("sum:rate{counter,65535,100}:1m-max:rollup_raw:m{host=regexp(a{1,2}:b)}");
    assertThat(query.rate()).isEqualTo(new RateOptions(true, 65535, 100, false));
    assertThat(query.source().rollups()).isEqualTo(RollupUsage.RAW);
    assertThat(query.filters())
        .containsExactly(new TagFilter(TagFilter.Type.REGEXP, "host", "a{1,2}:b", true));
    assertThat(Query.parse("sum:percentiles[50,99.9]:show-histogram-buckets:m").source())
        .isEqualTo(
            PointSource.DEFAULT.withHistograms(new HistogramView(List.of(50.0, 99.9), true)));
    assertThat(
            QueryDraft.ofTsuids("sum:000001000001000001,00000100000100000a", QueryDialect.HOURSTONE)
                .query(QueryDialect.HOURSTONE)
                .series()
                .tsuids())
        .containsExactly("000001000001000001", "00000100000100000A");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ratexyz",
        "rate{conter,100}",
        "rate{Counter}",
        "rate{mycounter}",
        "rate(counter)",
        "Rate{counter}"
      })
  void aMisspeltRateIsRefusedExceptInStrictMode(String option) {
    String text = "sum:" + option + ":m";
    assertThatThrownBy(() -> QueryDraft.ofMetric(text, QueryDialect.HOURSTONE))
        .isInstanceOf(RequestException.class)
        .hasMessageContaining("unknown rate option '" + option + "'");
    assertThat(QueryDraft.ofMetric(text, QueryDialect.OPENTSDB).rate().isRequested()).isTrue();
  }

  @Test
  void onlyBracesGiveOptionsOfARate() {
    assertThat(QueryDraft.ofMetric("sum:rate:m", QueryDialect.OPENTSDB).rate().options()).isNull();
    assertThat(QueryDraft.ofMetric("sum:rate{}:m", QueryDialect.OPENTSDB).rate().options())
        .isEqualTo(RateOptions.DEFAULT);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "rate",
        "rate{}",
        "rate{,5,7}",
        "rate{counter}",
        "rate{counter,,7}",
        "rate{dropcounter,1,2}"
      })
  void ratesAreReadAlikeInBothModes(String option) {
    String text = "sum:" + option + ":m";
    assertThat(QueryDraft.ofMetric(text, QueryDialect.HOURSTONE))
        .isEqualTo(QueryDraft.ofMetric(text, QueryDialect.OPENTSDB));
  }

  private static boolean matches(
      TagFilter.Type type, String text, String value, FilterDialect dialect) {
    RegexBudget budget = new RegexBudget(1000, () -> {});
    return ValueMatch.of(new TagFilter(type, "host", text, true), dialect, budget).test(value);
  }

  @ParameterizedTest
  @CsvSource({
    "ops-*|web-*, ops-1, true",
    "ops-*|web-*, web-1, true",
    "ops-*|web-*, db-1, false",
    "ops-*|web-*, xops-1, false",
    "web-1|ops-*, web-1, true",
    "web-1|ops-*, web-12, false",
    "ops-*|web-1, ops-, true",
    "*|x, anything, true",
    "*-1||*-2|, a-2, true",
    "*-1||*-2|, '', false",
  })
  void aPatternMayHaveAlternatives(String pattern, String value, boolean passes) {
    for (TagFilter.Type type : List.of(TagFilter.Type.WILDCARD, TagFilter.Type.IWILDCARD)) {
      assertThat(matches(type, pattern, value, FilterDialect.HOURSTONE)).isEqualTo(passes);
    }
    assertThat(TagFilter.parse("host", pattern, true).type()).isEqualTo(TagFilter.Type.IWILDCARD);
  }

  @Test
  void inStrictModePercentilesAreInTheirOrder() {
    QueryDraft draft = QueryDraft.ofMetric("sum:percentiles[50,99.9,75]:m", QueryDialect.OPENTSDB);
    assertThat(view(draft, QueryDialect.HOURSTONE).percentiles()).containsExactly(50.0, 99.9, 75.0);
    assertThat(view(draft, QueryDialect.OPENTSDB).percentiles()).containsExactly(50.0, 75.0, 99.9);
  }

  private static HistogramView view(QueryDraft draft, QueryDialect dialect) {
    return requireNonNull(draft.query(dialect).source().histograms());
  }

  @Test
  void inStrictModeAFilterOfAnAbsentTagIsUnknown() {
    for (String text : List.of("not_key()", "not_key(x)")) {
      assertThatThrownBy(
              () -> QueryDraft.ofMetric("sum:m{}{host=" + text + "}", QueryDialect.OPENTSDB))
          .isInstanceOf(MalformedFiltersException.class)
          .hasMessage(
              "When parsing filter 'host="
                  + text
                  + "': Could not find a tag value filter of the type: not_key");
    }
    assertThat(
            QueryDraft.ofMetric("sum:m{}{host=not_key()}", QueryDialect.HOURSTONE)
                .series()
                .filters())
        .hasSize(1);
  }

  @Test
  void inStrictModeAPatternHasNoAlternatives() {
    assertThat(matches(TagFilter.Type.IWILDCARD, "ops-*|web-*", "web-1", FilterDialect.OPENTSDB))
        .isFalse();
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
    "1500001200.5, 1500001200500",
    "1500001200.50, 1500001200500",
    "1500001200.500, 1500001200500",
    "1500001200.0, 1500001200000",
    "1500001200.123456789, 1500001200123",
    "1.5, 1500",
    "0.25, 250",
    "1500001200123.0, 1500001200123",
    "1.5000012E9, 1500001200000",
    "1.5000012005e+9, 1500001200500",
    "1.500001200123E12, 1500001200123",
    "15E8, 1500000000000",
    "1.50000120050e9, 1500001200500",
    "4294967296, 4294967296000",
    "1500001200000ms, 1500001200000",
    "2017/07/14, 1499983200000",
    "2017/07/14-03:00, 1499994000000",
    "2017/07/14-03:00:05, 1499994005000",
    "2017/07/14 03:00:05, 1499994005000",
    "2017-07-14, 1499983200000",
    "2017-07-14 03:00, 1499994000000",
    "2017-07-14T03:00:05.25, 1499994005250",
    "2017-07-14T03:00:05Z, 1500001205000",
    "2017-07-14T03:00:05.250-01:30, 1500006605250",
  })
  void timesAreRelativeDatesOrEpochs(String text, long millis) {
    assertThat(
            TimeText.parseMillis(
                text,
                Instant.ofEpochSecond(1500001200),
                ZoneId.of("Europe/Berlin"),
                QueryDialect.HOURSTONE))
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
        "2017-13-01",
        "2017-1-1",
        "2017-01-01T1:00",
        "2017-01-01T25:00",
        "2017-01-01Z",
        "2017-01-01T00:00 01:00",
        "2017/1",
        "12-30",
        "-5",
        "-1500001200.5",
        " ",
        "1500001200.",
        ".5",
        "1500001200..5",
        "1500001200.5.5",
        "1500001200,5",
        "1500001200.5ms",
        "1500001200123.5",
        "1500001200123456",
        "1500001200123456789",
        "1e16",
        "1e99",
        "1e999999999",
        "1500001200e-",
        "1500001200.5s"
      })
  void whatIsNoTimeIsRefused(String text) {
    assertThatThrownBy(
            () ->
                TimeText.parseMillis(text, Instant.EPOCH, ZoneId.of("UTC"), QueryDialect.HOURSTONE))
        .isInstanceOf(RequestException.class);
  }

  @ParameterizedTest
  @CsvSource({"1500001200.123, 1500001200123", "1500001200.5, 15000012005"})
  void inStrictModeTheDotIsDropped(String text, long millis) {
    assertThat(TimeText.parseMillis(text, Instant.EPOCH, ZoneId.of("UTC"), QueryDialect.OPENTSDB))
        .isEqualTo(millis);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1500001200.1234", "1.5", "1.5e9"})
  void inStrictModeOtherFractionsAreRefused(String text) {
    assertThatThrownBy(
            () ->
                TimeText.parseMillis(text, Instant.EPOCH, ZoneId.of("UTC"), QueryDialect.OPENTSDB))
        .isInstanceOf(RequestException.class);
  }

  @Test
  void aRangeEndsAfterItsStart() {
    assertThatThrownBy(() -> Query.metric("m").betweenMillis(5, 5))
        .hasMessageContaining("End time [5] must be greater than the start time [5]");
  }
}
