package org.hourstone.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HexFormat;
import org.hourstone.codec.DuplicatePolicy;
import org.hourstone.codec.RowDecoder;
import org.hourstone.codec.RowPoints;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DownsampleTest {
  /** 1 at 1 s, 2 at 5 s, 3 at 11 s, 4 at 25 s, 5 at 31 s. */
  private static RowPoints points() {
    RowDecoder decoder = new RowDecoder(DuplicatePolicy.FAIL, false);
    decoder.start();
    decoder.add(
        HexFormat.of().parseHex("0010005000B0019001F0"),
        HexFormat.of().parseHex("010203040500"),
        1);
    RowPoints points = new RowPoints();
    decoder.finish(points);
    return points;
  }

  @ParameterizedTest
  @CsvSource({
    "10s-sum, 0, 60000, 0=3.0 10000=3.0 20000=4.0 30000=5.0",
    "10s-count, 0, 60000, 0=2.0 10000=1.0 20000=1.0 30000=1.0",
    "10s-avg, 0, 60000, 0=1.5 10000=3.0 20000=4.0 30000=5.0",
    "20s-max-none, 0, 60000, 0=3.0 20000=5.0",
    "0all-sum, 5000, 31000, 5000=9.0",
    "0all-sum, 5000, 31001, 5000=14.0",
    "0all-sum, 40000, 50000, ''",
  })
  void bucketsAreAggregatedToDoublesAtTheirStart(
      String specifier, long start, long end, String expected) {
    PointColumn column = downsampled(Downsample.parse(specifier), start, end, 0);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < column.size(); i++) {
      text.append(i == 0 ? "" : " ").append(column.millis(i)).append('=');
      text.append(column.doubleValue(i));
    }
    assertThat(text.toString()).isEqualTo(expected);
  }

  @Test
  void aBucketThatHasBegunBeforeTheRowsReadIsLeftOut() {
    // 90 minutes from the epoch: buckets start at 0 and 5400 s, the rows that are read at 3600 s.
    Downsample downsample = Downsample.parse("90m-sum");
    assertThat(downsampled(downsample, 5_400_000, 5_500_000, 3_600_000).size()).isZero();
    assertThat(downsampled(downsample, 5_400_000, 5_500_000, 5_400_000).doubleValue(0))
        .isEqualTo(15.0);
  }

  /** The points of a row that begins at an instant, downsampled. */
  private static PointColumn downsampled(
      Downsample downsample, long start, long end, long baseMillis) {
    ScanRange range = ScanRange.of(start, end, downsample);
    DownsampleStep step = new DownsampleStep(downsample, start, end, range.startSeconds() * 1000);
    PointColumn row = new PointColumn();
    row.addRow(baseMillis, points());
    PointColumn column = new PointColumn();
    step.accept(row, column);
    step.finish(column);
    return column;
  }

  @ParameterizedTest
  @CsvSource({
    "10s, must provide at least interval and function",
    "10s-none, cannot use the NONE aggregator",
    "10s-mean, No such downsampling function: mean",
    "10s-sum-wrong, Unrecognized fill policy: wrong",
    "0s-sum, Zero or negative duration: 0s",
    "10x-sum, Invalid duration (suffix): 10x",
    "s-sum, Invalid duration (number): s",
  })
  void whatIsWrongWithASpecifierIsNamed(String specifier, String message) {
    assertThatThrownBy(() -> Downsample.parse(specifier))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }
}
