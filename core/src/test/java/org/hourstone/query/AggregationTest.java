package org.hourstone.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AggregationTest {
  /** Points as "seconds=value", integers unless they have a dot. */
  private static PointColumn column(String points) {
    PointColumn column = new PointColumn();
    for (String point : points.split(" ")) {
      String[] parts = point.split("=");
      long millis = Long.parseLong(parts[0]) * 1000;
      if (parts[1].contains(".") || parts[1].equals("NaN")) {
        column.addDouble(millis, Double.parseDouble(parts[1]));
      } else {
        column.addLong(millis, Long.parseLong(parts[1]));
      }
    }
    return column;
  }

  private static String text(PointColumn column) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < column.size(); i++) {
      text.append(i == 0 ? "" : " ").append(column.millis(i) / 1000).append('=');
      text.append(column.isInteger(i) ? "" + column.longValue(i) : "" + column.doubleValue(i));
    }
    return text.toString();
  }

  private static String aggregate(String name, String... series) {
    return aggregate(name, false, series);
  }

  private static String aggregate(String name, boolean earlyDoubles, String... series) {
    List<PointColumn> columns = Arrays.stream(series).map(AggregationTest::column).toList();
    return text(Aggregation.of(Aggregator.parse(name), earlyDoubles, columns));
  }

  @ParameterizedTest
  @CsvSource({
    "sum, 1=1 2=12 3=19 4=21",
    "min, 1=1 2=2 3=4 4=21",
    "max, 1=1 2=10 3=15 4=21",
    "avg, 1=1 2=6 3=9 4=21",
    "count, 1=1 2=2 3=2 4=1",
  })
  void missingPointsAreInterpolatedAndIntegersCutOff(String aggregator, String expected) {
    assertThat(aggregate(aggregator, "1=1 3=4", "2=10 4=21")).isEqualTo(expected);
  }

  @Test
  void onlyWhatADoubleGoesIntoIsADouble() {
    assertThat(aggregate("sum", "1=1 2=2 3=2.5 4=1 5=1")).isEqualTo("1=1 2=2 3=2.5 4=1 5=1");
    assertThat(aggregate("none", "1=1 2=2 3=2.5 4=1")).isEqualTo("1=1 2=2 3=2.5 4=1");
    assertThat(aggregate("sum", "1=1 3=2.5", "2=1")).isEqualTo("1=1 2=2.75 3=2.5");
    assertThat(aggregate("sum", "1=1 2=2", "3=0.5 4=1")).isEqualTo("1=1 2=2 3=0.5 4=1");
  }

  @Test
  void inStrictModeASeriesTurnsToDoublesOnePointBeforeItsFirst() {
    assertThat(aggregate("sum", true, "1=1 2=2 3=2.5 4=1 5=1"))
        .isEqualTo("1=1 2=2.0 3=2.5 4=1 5=1");
    assertThat(aggregate("none", true, "1=1 2=2 3=2.5 4=1")).isEqualTo("1=1 2=2.0 3=2.5 4=1");
  }

  @Test
  void inStrictModeADoubleThatIsToComeFirstCountsToo() {
    assertThat(aggregate("sum", true, "1=1 2=2", "3=0.5 4=1")).isEqualTo("1=1.0 2=2.0 3=0.5 4=1");
  }

  @Test
  void seriesGiveNothingBeforeTheirFirstAndAfterTheirLastPoint() {
    assertThat(aggregate("sum", "1=1 2=1", "4=7 5=7")).isEqualTo("1=1 2=1 4=7 5=7");
  }

  @Test
  void doublesAreInterpolatedOnTheLine() {
    assertThat(aggregate("sum", "0=0.0 4=1.0", "1=10.0")).isEqualTo("0=0.0 1=10.25 4=1.0");
  }

  @Test
  void notANumberIsPassedOver() {
    assertThat(aggregate("sum", "1=NaN 2=NaN", "1=3.0 2=NaN")).isEqualTo("1=3.0 2=NaN");
    assertThat(aggregate("avg", "1=NaN", "1=3.0")).isEqualTo("1=3.0");
    assertThat(aggregate("min", "1=NaN", "1=3.0")).isEqualTo("1=3.0");
    assertThat(aggregate("max", "1=NaN", "1=-3.0")).isEqualTo("1=-3.0");
    assertThat(aggregate("count", "1=NaN", "1=3.0")).isEqualTo("1=1.0");
  }

  @Test
  void anInfiniteResultIsAnError() {
    assertThatThrownBy(() -> aggregate("sum", "1=1.7E308", "1=1.7E308"))
        .isInstanceOf(ArithmeticException.class)
        .hasMessageContaining("Infinity");
  }

  @Test
  void sumsOfIntegersWrapAround() {
    assertThat(aggregate("sum", "1=9223372036854775807", "1=1"))
        .isEqualTo("1=-9223372036854775808");
  }
}
