package org.hourstone.histogram;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.Map;
import java.util.TreeMap;
import org.hourstone.error.RequestException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SimpleHistogramTest {
  private static final SimpleHistogram WIDTHS =
      HistogramText.parse("0,1.75=12:u=2:o=1:1.75,3.5=16:3.5,7=0", false);

  @ParameterizedTest
  @CsvSource({"1, 0.875", "42, 0.875", "43, 2.625", "50, 2.625", "99.9, 2.625", "100, 2.625"})
  void aPercentileIsTheMiddleOfTheFirstBucketThatReachesIt(double percent, double value) {
    assertThat(WIDTHS.percentile(percent)).isEqualTo(value);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 0.99, 100.01, -1, Double.NaN})
  void percentilesOutOfRangeAreMinusOne(double percent) {
    assertThat(WIDTHS.percentile(percent)).isEqualTo(-1);
  }

  @Test
  void whatFellOutsideIsLeftOutOfPercentiles() {
    SimpleHistogram outside = new SimpleHistogram(new TreeMap<>(), 5, 7);

    assertThat(outside.percentile(50)).isZero();
    assertThat(HistogramText.parse("0,2=0:u=9", false).percentile(50)).isZero();
  }

  @Test
  void addingSumsTheCountsAndKeepsBucketsThatOneLacks() {
    SimpleHistogram sum =
        HistogramText.parse("0,1=1:1,2=2:u=3", false)
            .plus(HistogramText.parse("1,2=5:2,3=7:o=4", false));

    assertThat(sum).isEqualTo(HistogramText.parse("0,1=1:1,2=7:2,3=7:u=3:o=4", false));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"0,1=9223372036854775807", "u=9223372036854775807", "o=9223372036854775807"})
  void countsThatDoNotFitAreRefused(String most) {
    SimpleHistogram histogram = HistogramText.parse(most, false);

    assertThat(histogram.plus(HistogramText.parse("0,1=0:u=0:o=0", false))).isNotNull();
    assertThatExceptionOfType(RequestException.class)
        .isThrownBy(() -> histogram.plus(HistogramText.parse("0,1=1:u=1:o=1", false)))
        .withMessageContaining("9223372036854775807 and 1 of a histogram add up to more than 64");
  }

  @Test
  void aPercentileOfCountsWhoseSumDoesNotFitIsRefused() {
    SimpleHistogram histogram = HistogramText.parse("0,1=9223372036854775807:1,2=1", false);

    assertThatExceptionOfType(RequestException.class)
        .isThrownBy(() -> histogram.percentile(50))
        .withMessageContaining("9223372036854775807 and 1 of a histogram add up to more than 64");
  }

  @Test
  void bucketsAreOrderedByLowerThenByUpperBound() {
    SimpleHistogram histogram =
        SimpleHistogram.of(
            Map.of(new Bucket(1, 5), 1L, new Bucket(-1, 2), 1L, new Bucket(1, 2), 1L));

    assertThat(histogram.buckets().keySet())
        .containsExactly(new Bucket(-1, 2), new Bucket(1, 2), new Bucket(1, 5));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "0,1",
        "0,1=",
        "0,1=x",
        "0=1",
        "0,1,2=1",
        "a,b=1",
        ",1=1",
        "2,1=1",
        "0,NaN=1",
        "u=",
        "0,1=1:",
        "0,1=1.5",
        "0,1=-1",
        "0,1=1:u=-1",
        "0,1=1:0.0,1.0=2",
        "0,1=1:u=1:u=1",
        "0,1=1:o=1:o=2",
        "0,Infinity=1",
        "0,1e400=1",
        "0,1e39=1",
        "1e-60,1=1",
        "-1e-400,1=1",
        "0,1=99999999999999999999"
      })
  void textThatIsNoHistogramIsRefusedNamingTheFault(String text) {
    assertThatExceptionOfType(RequestException.class)
        .isThrownBy(() -> HistogramText.parse(text, false))
        .withMessageMatching("(histogram: |bucket ').+");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0,1=-1",
        "0,1=1:u=-1",
        "0,1=1:0.0,1.0=2",
        "0,1=1:u=1:u=1",
        "0,Infinity=1",
        "1e-60,1e39=1"
      })
  void strictTextIsTakenAsByOpenTsdb(String text) {
    assertThat(HistogramText.parse(text, true)).isNotNull();
  }

  @Test
  void ofTwoCountsInStrictTextTheLastIsKept() {
    assertThat(HistogramText.parse("0,1=1:0.0,1e0=2:u=3:u=4", true))
        .isEqualTo(HistogramText.parse("0,1=2:u=4", false));
  }
}
