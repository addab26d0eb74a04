package org.hourstone.tsd.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.List;
import org.hourstone.query.Query;
import org.hourstone.query.QueryDialect;
import org.hourstone.series.Downsample;
import org.hourstone.tsd.CommandRun;
import org.hourstone.tsd.session.UsageException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QueryWordsTest {
  private static final Instant NOW = CommandRun.NOW;

  @ParameterizedTest
  @ValueSource(strings = {"sum:m", "none:1h-avg:m{a=b}", "p99:m", "ep99r7:m", "x:y"})
  void expressionsAreRecognised(String word) {
    assertThat(QueryWords.isExpression(word)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "now",
        "1h-ago",
        "2014/02/14",
        "2014/02/14-10:30",
        "2014/02/14 10:30:00",
        "1392388200"
      })
  void timesAreNoExpressions(String word) {
    assertThat(QueryWords.isExpression(word)).isFalse();
  }

  @Test
  void withoutAnEndItIsNow() {
    Query query = parse("1h-ago", "sum:m").get(0);

    assertThat(query.startMillis()).isEqualTo(NOW.minusSeconds(3600).toEpochMilli());
    assertThat(query.endMillis()).isEqualTo(NOW.toEpochMilli());
  }

  @Test
  void allExpressionsShareTheRangeAndTheSameOneIsAskedOnce() {
    List<Query> queries =
        parse("2023/12/31-10:30", "2023/12/31-11:00:05", "sum:m", "avg:1m-max:n{a=*}", "sum:m");

    assertThat(queries).extracting(Query::metric).containsExactly("m", "n");
    assertThat(queries)
        .allSatisfy(
            query -> {
              assertThat(Instant.ofEpochMilli(query.startMillis()))
                  .isEqualTo("2023-12-31T09:30:00Z");
              assertThat(Instant.ofEpochMilli(query.endMillis())).isEqualTo("2023-12-31T10:00:05Z");
            });
  }

  @Test
  void anExpressionMayBeSpeltOutInWords() {
    List<Query> queries =
        parse(
            "1h-ago",
            "sum",
            "downsample",
            "60000",
            "avg",
            "m",
            "a=*",
            "b=c|d",
            "avg",
            "n",
            "max:o");

    assertThat(queries)
        .containsExactlyElementsOf(
            parse("1h-ago", "sum:60000ms-avg:m{a=*,b=c|d}", "avg:n", "max:o"));
  }

  @Test
  void wordsThatAreMissingInASpeltOutExpressionAreNamed() {
    assertThatThrownBy(() -> parse("1h-ago", "now", "sum"))
        .isInstanceOf(UsageException.class)
        .hasMessage("there must be a metric");
    assertThatThrownBy(() -> parse("1h-ago", "sum", "downsample", "5m"))
        .isInstanceOf(UsageException.class)
        .hasMessage("there must be an aggregator after 'downsample 5m'");
    assertThatThrownBy(() -> parse("1h-ago", "sum", "rate"))
        .isInstanceOf(UsageException.class)
        .hasMessage("there must be a metric");
  }

  @Test
  void aRateMayBeSpeltOutWithOptions() {
    assertThat(parse("1h-ago", "sum", "rate", "m")).isEqualTo(parse("1h-ago", "sum:rate:m"));
    assertThat(parse("1h-ago", "sum", "rate", "counter,100,5", "downsample", "5m", "avg", "m"))
        .isEqualTo(parse("1h-ago", "sum:rate{counter,100,5}:5m-avg:m"));
    assertThat(parse("1h-ago", "sum", "rate", "dropcounter", "m"))
        .isEqualTo(parse("1h-ago", "sum:rate{dropcounter}:m"));
  }

  @Test
  void wordsThatAreMissingAreNamed() {
    assertThatThrownBy(QueryWordsTest::parse)
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("no START");
    assertThatThrownBy(() -> parse("1h-ago"))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("no expression after '1h-ago'");
    assertThatThrownBy(() -> parse("2h-ago", "1h-ago"))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("no expression after '1h-ago'");
    assertThatThrownBy(() -> parse("2023/11/14", "m"))
        .isInstanceOf(UsageException.class)
        .hasMessage("'m' is neither a time nor an expression, such as 'sum:m'");
  }

  @Test
  void timesAreWhatTablesPrint() {
    assertThat(parse("2024-01-01T00:00:00Z", "2024-01-01T12:00:00.500+02:00", "sum:m"))
        .isEqualTo(parse("1704067200", "1704103200500", "sum:m"));
    assertThat(parse("2024-01-01", "sum:m")).isEqualTo(parse("2024/01/01", "sum:m"));
    assertThatThrownBy(() -> parse("yesterday", "sum:m"))
        .hasMessageStartingWith("START: Invalid time: yesterday");
    assertThatThrownBy(() -> parse("1d-ago", "2024-01-32", "sum:m"))
        .hasMessageStartingWith("END: Invalid time: '2024-01-32'");
  }

  @Test
  void calendarDaysAreThoseOfTheZone() {
    assertThat(parse("1d-ago", "sum:1dc-sum:m").get(0).downsample())
        .isEqualTo(Downsample.parse("1dc-sum").withZone(ZoneId.of("Europe/Berlin")));
  }

  @Test
  void aRangeThatEndsBeforeItStartsIsRefused() {
    assertThatThrownBy(() -> parse("now", "1h-ago", "sum:m"))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("must be greater than the start time");
  }

  private static List<Query> parse(String... words) {
    return QueryWords.parse(
        List.of(words),
        InstantSource.fixed(NOW),
        ZoneId.of("Europe/Berlin"),
        QueryDialect.HOURSTONE);
  }
}
