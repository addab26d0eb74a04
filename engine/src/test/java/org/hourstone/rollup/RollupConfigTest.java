package org.hourstone.rollup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.hourstone.error.RequestException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RollupConfigTest {
  static final String SETTING =
      """
      {"aggregationIds": {"sum": 0, "COUNT": 1, "min": 2, "max": 3},
       "intervals": [
         {"table": "tsdb", "preAggregationTable": "tsdb-preagg", "interval": "1m",
          "rowSpan": "1h", "defaultInterval": true},
         {"table": "rollup-10m", "preAggregationTable": "preagg-10m", "interval": "10m",
          "rowSpan": "1d", "delaySla": "2h"},
         {"table": "rollup-1h", "preAggregationTable": "preagg", "interval": "1h",
          "rowSpan": "1n"},
         {"table": "rollup-1d", "preAggregationTable": "preagg", "interval": "1d",
          "rowSpan": "1y"}]}
      """;

  private final RollupConfig config = RollupConfig.of(SETTING);

  @Test
  void intervalsAndIdsAreThoseOfTheSetting() {
    assertThat(config.intervals())
        .extracting(RollupInterval::name, RollupInterval::perRow)
        .containsExactly(tuple("1m", 60), tuple("10m", 144), tuple("1h", 768), tuple("1d", 366));
    assertThat(config.defaultInterval().name()).isEqualTo("1m");
    assertThat(config.interval("10m").delaySla()).isEqualTo(7200);
    assertThat(config.idOf("SUM")).isZero();
    assertThat(config.idOf("count")).isEqualTo(1);
    assertThat(config.tables())
        .containsExactly(
            "tsdb", "tsdb-preagg", "rollup-10m", "preagg-10m", "rollup-1h", "preagg", "rollup-1d");
  }

  @Test
  void theSettingMayBeAFile(@TempDir Path directory) throws IOException {
    Path file = Files.writeString(directory.resolve("rollup.json"), SETTING);

    assertThat(RollupConfig.of(file.toString()).tables()).isEqualTo(config.tables());
  }

  @Test
  void whatIsNotConfiguredIsNamed() {
    assertThatExceptionOfType(NoSuchRollupException.class)
        .isThrownBy(() -> config.interval("7h"))
        .withMessageContaining("7h");
    assertThatExceptionOfType(RequestException.class)
        .isThrownBy(() -> config.idOf("avg"))
        .withMessage("No ID found mapping to aggregator: avg");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"defaultInterval\": true|\"x\": 1|0 rollup intervals are the default",
        "\"delaySla\": \"2h\"|\"defaultInterval\": true|2 rollup intervals are the default",
        "\"10m\"|\"1m\"|two rollup intervals are 1m",
        "\"min\": 2|\"min\": 0|two aggregations have the id 0",
        "\"min\": 2|\"min\": 128|not in 0..127",
        "\"min\": 2|\"min\": -1|not in 0..127",
        "\"min\": 2|\"min\": \"2x\"|not in 0..127",
        "\"min\": 2|\"Sum\": 7|two ids for the aggregation",
        "\"1n\"|\"2n\"|rowSpan '2n'",
        "\"1n\"|\"3h\"|rowSpan '3h'",
        "\"1n\"|\"\"|rowSpan ''",
        "\"1n\"|\"6h\"|has 6 intervals in a row of 6h: not in 12..4096",
        "\"10m\"|\"10s\"|has 8640 intervals in a row of 1d: not in 12..4096",
        "\"10m\"|\"10\"|interval '10'",
        "\"10m\"|\"0m\"|is zero",
        "\"rollup-1h\"|\"\"|lacks a table",
        "\"preagg-10m\"|\"\"|lacks a table",
        "aggregationIds|ids|no aggregationIds",
      })
  void aWrongSettingIsRefused(String what, String with, String fault) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RollupConfig.of(SETTING.replace(what, with)))
        .withMessageContaining(fault);
  }

  @ParameterizedTest
  @CsvSource({
    "1h, 1357004400, 1357002000",
    "6h, 1357004400, 1356998400",
    "6h, 1357020000, 1357020000",
    "1d, 1357004400, 1356998400",
    "1n, 1357603200, 1356998400",
    "1n, 1362095999, 1359676800",
    "1y, 1357603200, 1356998400",
    "1y, 1356998399, 1325376000",
    "1y, 4294967295, 4291747200",
  })
  void rowsBeginAtHoursAndAtTheCalendarsDaysMonthsAndYears(String span, long at, long baseTime) {
    assertThat(RowSpan.parse(span).baseTime(at)).isEqualTo(baseTime);
  }

  @ParameterizedTest
  @CsvSource({
    "10m, 6h, 1357004400, 10",
    "1h,  1d, 1357004400, 1",
    "1h,  1n, 1357603200, 168",
    "1d,  1y, 1357603200, 7",
    "1d,  1y, 1356998399, 365",
  })
  void theIndexIsThatOfTheIntervalWithinTheRow(String name, String span, long at, int index) {
    RollupInterval interval =
        new RollupInterval(
            name, RollupInterval.seconds(name), RowSpan.parse(span), "t", "p", false, 0);

    assertThat(interval.index(at)).isEqualTo(index);
  }

  @ParameterizedTest
  @CsvSource({
    "1, ",
    "0, ",
    "90000, ",
    "60000, 1m",
    "300000, 1m",
    "1200000, 10m",
    "7200000, 1h",
    "172800000, 1d",
  })
  void theLongestIntervalThatDividesALengthServesItFirst(long millis, String interval) {
    assertThat(config.dividing(millis).stream().map(RollupInterval::name).findFirst())
        .isEqualTo(Optional.ofNullable(interval));
  }

  @ParameterizedTest
  @CsvSource({"1h-sum, 1h, sum, ''", "1h-sum:max, 1h, sum, max", "max, '', '', max"})
  void aKindIsAnIntervalWithItsAggregatorOrAGroupsAggregatorOrBoth(
      String text, String interval, String aggregator, String groupBy) {
    assertThat(RollupKind.parse(text)).isEqualTo(new RollupKind(interval, aggregator, groupBy));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "1h-", "-sum", "1h-sum:", "sum:max", ":max", "-"})
  void textThatIsNoKindIsRefused(String text) {
    assertThatExceptionOfType(RequestException.class).isThrownBy(() -> RollupKind.parse(text));
  }
}
