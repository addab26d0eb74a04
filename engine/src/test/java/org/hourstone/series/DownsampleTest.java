package org.hourstone.series;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.ZoneId;
import org.hourstone.error.RequestException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DownsampleTest {
  @ParameterizedTest
  @CsvSource({
    "10s-avg, 10000, 10s-avg",
    "500ms-min-none, 500, 500ms-min",
    "5m-sum-zero, 300000, 5m-sum-zero",
    "1h-p99-NaN, 3600000, 1h-p99-nan",
    "2d-count-null, 172800000, 2d-count-null",
    "1w-max-scalar, 604800000, 1w-max-scalar",
    "1n-sum, 2592000000, 1n-sum",
    "1y-sum, 31536000000, 1y-sum",
    "1dc-sum, 86400000, 1dc-sum",
    "2nc-sum-zero, 5184000000, 2nc-sum-zero",
    "0all-sum, 0, 0all-sum",
    "all-max-nan, 0, 0all-max-nan",
    "10s-avg-, 10000, 10s-avg",
    "99999999999m-avg, 5999999999940000, 99999999999m-avg",
  })
  void aSpecifierTellsIntervalAggregatorAndFill(String text, long nominal, String plain) {
    Downsample downsample = Downsample.parse(text);
    assertThat(downsample.intervalMillis()).isEqualTo(nominal);
    assertThat(downsample.text()).isEqualTo(plain);
    assertThat(downsample.isAll()).isEqualTo(nominal == Downsample.ALL);
  }

  /** OpenTSDB ignores what is around it. */
  @Test
  void theWholeRangeIsSpelledInOneWay() {
    for (String text : new String[] {"7allc-max", "1all-max", "0allc-max", "10sall-max"}) {
      assertThat(Downsample.parse(text, Durations.OPENTSDB).text()).isEqualTo("0all-max");
      assertThatThrownBy(() -> Downsample.parse(text)).hasMessageContaining(" duration");
    }
  }

  @Test
  void theCalendarAndItsZoneCanBeSetLater() {
    ZoneId zone = ZoneId.of("Europe/Berlin");
    Downsample downsample = Downsample.parse("1d-sum").withCalendar().withZone(zone);
    assertThat(downsample.calendar()).isTrue();
    assertThat(downsample.zone()).isEqualTo(zone);
    assertThat(downsample.text()).isEqualTo("1dc-sum");
    assertThat(Downsample.parse("0all-sum").withCalendar().calendar()).isFalse();
  }

  @Test
  void aFixedIntervalIsPrintedInItsLargestUnit() {
    assertThat(Downsample.fixed(300_000, Aggregator.MAX).text()).isEqualTo("5m-max");
    assertThat(Downsample.fixed(90_000, Aggregator.MAX).text()).isEqualTo("90s-max");
    assertThat(Downsample.fixed(1, Aggregator.MAX).text()).isEqualTo("1ms-max");
    assertThat(Downsample.fixed(30 * 86_400_000L, Aggregator.MAX).text()).isEqualTo("30d-max");
    assertThatThrownBy(() -> Downsample.fixed(-1, Aggregator.MAX)).hasMessageContaining("negative");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "1m; Invalid downsampling specifier '1m': must provide at least interval and function",
        "1mavg; Invalid downsampling specifier '1mavg': must provide at least interval and"
            + " function",
        "1m-; Invalid downsampling specifier '1m-': must provide at least interval and function",
        "1m-bogus; No such downsampling function: bogus",
        "1m-none; cannot use the NONE aggregator for downsampling",
        "1x-avg; Invalid duration (suffix): 1x",
        "0m-avg; Zero or negative duration: 0m",
        "15-avg; Invalid duration, must have an integer and unit: 15",
        "m-avg; Invalid duration (number): m",
        "c-avg; Invalid duration (number):",
        "99999999999999999999m-avg; Invalid duration (number): 99999999999999999999m",
        "9999999999999999y-avg; Duration must be < Long.MAX_VALUE ms: 9999999999999999y",
        "1m-avg-bogus; Unrecognized fill policy: bogus",
        "1m-avg-nan-x; Invalid downsampling specifier '1m-avg-nan-x': must consist of interval,"
            + " function, and optional fill policy",
      })
  void whatIsWrongWithASpecifierIsNamed(String specifier, String message) {
    for (Durations durations : Durations.values()) {
      assertThatThrownBy(() -> Downsample.parse(specifier, durations))
          .isInstanceOf(RequestException.class)
          .hasMessageStartingWith(message);
    }
  }

  @ParameterizedTest
  @CsvSource({"1.5h-avg, 3600000", "2xyh-avg, 7200000", "3H-sum, 10800000", "7.7ms-sum, 7"})
  void openTsdbSkipsWhatIsBetweenNumberAndUnit(String specifier, long interval) {
    assertThat(Downsample.parse(specifier, Durations.OPENTSDB).intervalMillis())
        .isEqualTo(interval);
    assertThatThrownBy(() -> Downsample.parse(specifier))
        .isInstanceOf(RequestException.class)
        .hasMessageStartingWith("Invalid duration (suffix): ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"-avg", "-avg-nan"})
  void anEmptyIntervalIsRefused(String specifier) {
    for (Durations durations : Durations.values()) {
      assertThatThrownBy(() -> Downsample.parse(specifier, durations))
          .isInstanceOf(RequestException.class)
          .hasMessageContaining("must begin with an interval");
    }
  }
}
