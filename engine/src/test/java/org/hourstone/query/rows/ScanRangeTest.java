package org.hourstone.query.rows;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.ZoneId;
import org.hourstone.query.Query;
import org.hourstone.rollup.RowSpan;
import org.hourstone.series.Downsample;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScanRangeTest {
  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "1356998400000, 1357002000000, -, 1356998400, 1357005600",
        "1357001000000, 1357001999000, -, 1356998400, 1357005600",
        "1357001000000, 1357001998000, -, 1356998400, 1357002000",
        "1357001000000, 1357041998000, 7h-sum, 1356994800, 1357045200",
        "1357001000000, 1357001998000, 1d-sum, 1356998400, 1357084800",
        "1357001000000, 1357001998000, 1dc-sum, 1356998400, 1357084800",
        "1357001000000, 1357001998000, 1n-sum, 1355616000, 1358208000",
        "1357001000000, 1357001998000, 0all-sum, 1356998400, 1357002000",
      })
  void inStrictModeTheyAreComputedFromNominalIntervals(
      long start, long end, String downsample, long first, long stop) {
    Downsample how = downsample == null ? null : Downsample.parse(downsample);
    assertThat(ScanRange.nominal(start, end, how)).isEqualTo(new ScanRange(first, stop));
  }

  private static Query query(String text, long start, long end) {
    Query query = Query.parse(text).betweenMillis(start, end);
    Downsample how = query.downsample();
    return how == null
        ? query
        : query.downsample(how.withZone(ZoneId.of("America/Los_Angeles"))); // UTC-8 then
  }

  private static ScanRange range(NeededTime time) {
    return ScanRange.of(time, RowSpan.OF_POINTS);
  }

  @ParameterizedTest
  @CsvSource({
    "1356998400000, 1357002000000, sum:m, 1356998400, 1357005600",
    "1357001000000, 1357001999000, sum:m, 1356998400, 1357002000",
    "1357001000000, 1357041998000, sum:7h-sum:m, 1356994800, 1357045200",
    "1357001000000, 1357001998000, sum:1d-sum:m, 1356998400, 1357084800",
    "1357001000000, 1357001998000, sum:1dc-sum:m, 1356940800, 1357027200",
    "1357001000000, 1357084799999, sum:1dc-sum:m, 1356940800, 1357113600",
    "1357001000000, 1357001998000, sum:1wc-sum:m, 1356854400, 1357459200",
    "1357001000000, 1357001998000, sum:1nc-sum:m, 1354348800, 1357027200",
    "1357001000000, 1357001998000, sum:1yc-sum:m, 1325404800, 1357027200",
    "1357001000000, 1357001998000, sum:0all-sum:m, 1356998400, 1357002000",
  })
  void theHoursOfARangeHaveAllBucketsThatTouchIt(
      long start, long end, String text, long first, long stop) {
    assertThat(range(NeededTime.ofRange(query(text, start, end))))
        .isEqualTo(new ScanRange(first, stop));
  }

  /** Over 1357001000 to 1357001998, in the hour from 1356998400 on: how much more is read. */
  @ParameterizedTest
  @CsvSource({
    "none:m, 0, 0",
    "zimsum:m, 0, 0",
    "mimmax:m, 0, 0",
    "sum:m, 1, 1",
    "pfsum:m, 1, 1",
    "count:m, 1, 1",
    "none:rate:m, 1, 0",
    "zimsum:rate:m, 1, 1",
    "sum:1m-avg:m, 1, 1",
    "sum:1m-avg-zero:m, 0, 0",
    "sum:1m-avg-nan:m, 0, 0",
    "none:1m-avg:m, 0, 0",
    "none:1m-avg:rate:m, 1, 0",
    "sum:1h-avg:rate:m, 2, 1",
    "sum:1h-avg-zero:rate:m, 1, 0",
    "none:1h-avg:rate:m, 1, 0",
    "sum:0all-avg:m, 0, 0",
    "sum:0all-avg:rate:m, 0, 0",
    "sum:1m-avg-zero:rate:m, 0, 0",
  })
  void whatInterpolationAndRatesNeedIsReadBeforeAndAfterIt(
      String text, long hoursBefore, long hoursAfter) {
    assertThat(range(NeededTime.around(query(text, 1_357_001_000_000L, 1_357_001_998_000L))))
        .isEqualTo(
            new ScanRange(1_356_998_400 - 3600 * hoursBefore, 1_357_002_000 + 3600 * hoursAfter));
  }

  @ParameterizedTest
  @CsvSource({
    "sum:1d-sum:m, 1356912000, 1357171200",
    "sum:1dc-sum:m, 1356854400, 1357113600",
    "sum:1nc-sum:m, 1351753200, 1359705600",
    "none:1dc-sum-zero:rate:m, 1356854400, 1357027200",
    "sum:1dc-sum:rate:m, 1356768000, 1357113600",
  })
  void aBucketThatIsLongerThanAnHourIsReadWhole(String text, long first, long stop) {
    assertThat(range(NeededTime.around(query(text, 1_357_001_000_000L, 1_357_001_998_000L))))
        .isEqualTo(new ScanRange(first, stop));
  }

  @ParameterizedTest
  @CsvSource({"sum:m", "sum:1yc-sum:m", "sum:290000000yc-sum:m", "sum:100000y-sum:m"})
  void allOfTimeHasABeginningAndAnEnd(String text) {
    assertThat(range(NeededTime.around(query(text, 0, Long.MAX_VALUE))))
        .isEqualTo(new ScanRange(0, 4_294_969_200L));
  }
}
