package org.hourstone.series;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.hourstone.codec.RowPoints;
import org.hourstone.codec.Value;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DownsampleStepTest {
  private static final String POINTS = "1=1 5=2 11=3 25=4 31=5";

  /** The steps of a query over rows from {@code scanStart} to {@code scanStop}, in seconds. */
  private static List<ColumnStep> steps(
      Downsample downsample, long start, long end, long scanStart, long scanStop) {
    List<ColumnStep> steps = new ArrayList<>();
    steps.add(
        new DownsampleStep(downsample, start, end, scanStart * 1000, MemoryLease.untracked()));
    if (downsample.fill() != FillPolicy.NONE && !downsample.isAll()) {
      steps.add(new FillStep(downsample, scanStart * 1000, scanStop * 1000));
    }
    return steps;
  }

  private static String buckets(String specifier, long scanStart, long scanStop, String points) {
    Downsample downsample = Downsample.parse(specifier);
    return Columns.text(
        Columns.through(
            Columns.of(points),
            steps(downsample, scanStart * 1000, scanStop * 1000, scanStart, scanStop)));
  }

  @ParameterizedTest
  @CsvSource({
    "10s-sum, 0=3.0 10=3.0 20=4.0 30=5.0",
    "10s-count, 0=2.0 10=1.0 20=1.0 30=1.0",
    "10s-avg, 0=1.5 10=3.0 20=4.0 30=5.0",
    "10s-first, 0=1.0 10=3.0 20=4.0 30=5.0",
    "10s-last, 0=2.0 10=3.0 20=4.0 30=5.0",
    "10s-diff, 0=1.0 10=0.0 20=0.0 30=0.0",
    "20s-max-none, 0=3.0 20=5.0",
    "10s-sum-zero, 0=3.0 10=3.0 20=4.0 30=5.0 40=0.0 50=0.0",
    "10s-count-zero, 0=2.0 10=1.0 20=1.0 30=1.0 40=0.0 50=0.0",
    "5s-sum-nan, 0=1.0 5=2.0 10=3.0 15=NaN 20=NaN 25=4.0 30=5.0 35=NaN 40=NaN 45=NaN 50=NaN 55=NaN",
    "20s-sum-null, 0=6.0 20=9.0 40=NaN",
  })
  void bucketsAreDoublesAtTheirStart(String specifier, String expected) {
    assertThat(buckets(specifier, 0, 60, POINTS)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "0all-sum, 5000, 31000, 5=9.0",
    "0all-sum, 5000, 31001, 5=14.0",
    "0all-count-zero, 5000, 31001, 5=4.0",
    "0all-sum-nan, 40000, 50000, ''",
  })
  void allIsOneBucketOfTheRangeWithoutItsEnd(
      String specifier, long start, long end, String expected) {
    List<ColumnStep> steps = steps(Downsample.parse(specifier), start, end, 0, 3600);
    assertThat(Columns.text(Columns.through(Columns.of(POINTS), steps))).isEqualTo(expected);
  }

  @Test
  void aBucketThatHasBegunBeforeTheRowsReadIsLeftOut() {
    // Buckets of 90 minutes begin at 0 and 5400 s, the rows that are read at 3600 s.
    assertThat(buckets("90m-sum", 3600, 7200, "3601=1 5399=1 5400=2 5401=3")).isEqualTo("5400=5.0");
    assertThat(buckets("90m-sum-zero", 3600, 10800, "3601=1 5400=2")).isEqualTo("5400=2.0");
    assertThat(buckets("1000hc-sum", 3600, 7200, "3601=1 5400=2")).isEmpty();
  }

  @Test
  void aFilledBucketThatDoesNotEndWithinTheRowsReadIsLeftOut() {
    assertThat(buckets("50m-sum-zero", 0, 7200, "6001=7")).isEqualTo("0=0.0 3000=0.0");
    assertThat(buckets("50m-sum", 0, 7200, "6001=7")).isEqualTo("6000=7.0");
  }

  @Test
  void scalarFailsAtTheFirstBucketWithoutPoints() {
    assertThat(buckets("20s-sum-scalar", 0, 40, POINTS)).isEqualTo("0=6.0 20=9.0");
    assertThatThrownBy(() -> buckets("20s-sum-scalar", 0, 60, POINTS))
        .hasMessage("unhandled fill policy");
  }

  @Test
  void whatIsSettledComesOutBeforeThereIsAnotherPoint() {
    Downsample downsample = Downsample.parse("10s-sum-zero");
    DownsampleStep downsampling =
        new DownsampleStep(downsample, 0, 60_000, 0, MemoryLease.untracked());
    FillStep filling = new FillStep(downsample, 0, 3_600_000);
    PointColumn buckets = new PointColumn();
    PointColumn out = new PointColumn();
    downsampling.accept(Columns.of("1=1 12=2"), buckets);
    downsampling.settle(19_999, buckets);
    filling.accept(buckets, out);
    filling.settle(19_999, out);
    assertThat(Columns.text(out)).isEqualTo("0=1.0");
    buckets.clear();
    downsampling.settle(40_000, buckets);
    filling.accept(buckets, out);
    filling.settle(40_000, out);
    assertThat(Columns.text(out)).isEqualTo("0=1.0 10=2.0 20=0.0 30=0.0");
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void pointsInAnyPartsGiveTheSameBucketsSettledInTime(long seed) {
    Random random = new Random(seed);
    String[] intervals = {"7s", "60s", "90m", "7mc", "6hc", "1dc", "3dc", "2wc", "1nc", "0all"};
    String[] fills = {"", "-zero", "-nan"};
    for (String interval : intervals) {
      Downsample downsample =
          Downsample.parse(interval + "-sum" + fills[random.nextInt(fills.length)])
              .withZone(ZoneId.of(random.nextBoolean() ? "America/New_York" : "Asia/Kolkata"));
      long scanStart = 1_520_640_000;
      long step = Math.max(1000, downsample.intervalMillis() / 5);
      PointColumn points = new PointColumn();
      long millis = scanStart * 1000;
      for (int i = 0; i < 200; i++) {
        millis += 1 + Math.floorMod(random.nextLong(), random.nextInt(10) == 0 ? 9 * step : step);
        points.addLong(millis, i);
      }
      long stop = millis / 3_600_000 * 3600 + 3600;
      long end = millis - 5000;
      List<ColumnStep> whole = steps(downsample, scanStart * 1000, end, scanStart, stop);
      List<ColumnStep> parts = steps(downsample, scanStart * 1000, end, scanStart, stop);
      String expected = Columns.text(Columns.through(points, whole));
      PointColumn out = new PointColumn();
      int from = 0;
      while (from < points.size()) {
        int to = Math.min(points.size(), from + random.nextInt(9));
        PointColumn in = Columns.part(points, from, to);
        long until = to < points.size() ? points.millis(to) : millis + 1;
        long settled = Buckets.settledBefore(downsample, until, scanStart * 1000, end);
        for (int i = 0; i < parts.size(); i++) {
          PointColumn passed = i + 1 < parts.size() ? new PointColumn() : out;
          int before = passed.size();
          parts.get(i).accept(in, passed);
          parts.get(i).settle(until, passed);
          in = passed;
          if (passed == out && out.size() > before) {
            int decided = out.firstFrom(settled);
            String early = Columns.text(Columns.part(out, 0, Math.min(decided, before)));
            assertThat(expected).as("seed %d, %s", seed, downsample).startsWith(early);
          }
        }
        int decided = out.firstFrom(settled);
        assertThat(
                Columns.through(points, steps(downsample, scanStart * 1000, end, scanStart, stop))
                    .firstFrom(settled))
            .as("seed %d, %s: all before what is settled has come out", seed, downsample)
            .isEqualTo(decided);
        from = to;
      }
      PointColumn last = new PointColumn();
      parts.get(0).finish(parts.size() == 1 ? out : last);
      if (parts.size() == 2) {
        parts.get(1).accept(last, out);
        parts.get(1).finish(out);
      }
      assertThat(Columns.text(out)).as("seed %d, %s", seed, downsample).isEqualTo(expected);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void rowsAreReducedAsTheirPointsAre(long seed) {
    Random random = new Random(seed);
    for (String specifier : List.of("5m-sum", "1h-max-nan", "7s-count", "90m-p50", "0all-last")) {
      Downsample downsample = Downsample.parse(specifier);
      List<ColumnStep> ofRows = steps(downsample, 1_800_000, 9_000_000, 0, 10_800);
      PointColumn points = new PointColumn();
      PointColumn reduced = new PointColumn();
      for (int hour = 0; hour < 3; hour++) {
        RowPoints row = row(random);
        points.addRow(hour * 3_600_000L, row);
        ofRows.get(0).acceptRow(hour * 3_600_000L, row, reduced);
      }
      ofRows.get(0).finish(reduced);
      if (ofRows.size() > 1) {
        reduced = Columns.through(reduced, ofRows.get(1));
      }
      List<ColumnStep> ofPoints = steps(downsample, 1_800_000, 9_000_000, 0, 10_800);
      assertThat(Columns.text(reduced))
          .as("seed %d, %s", seed, specifier)
          .isEqualTo(Columns.text(Columns.through(points, ofPoints)));
    }
  }

  /** Points of one type or several, at regular or random times. */
  private static RowPoints row(Random random) {
    RowPoints row = new RowPoints();
    int step = random.nextBoolean() ? 10_000 : 0;
    boolean mixed = random.nextInt(3) == 0;
    int type = random.nextInt(3);
    for (int offset = 0; offset < 3_600_000; ) {
      switch (mixed ? random.nextInt(3) : type) {
        case 0 -> row.add(offset, true, 7, random.nextInt(1000));
        case 1 -> row.add(offset, true, Value.FLOAT_FLAGS, Value.rawOf(random.nextFloat()));
        default -> row.add(offset, true, Value.DOUBLE_FLAGS, Value.rawOf(random.nextDouble()));
      }
      offset += step == 0 ? 1 + random.nextInt(200_000) : step;
    }
    return row;
  }
}
