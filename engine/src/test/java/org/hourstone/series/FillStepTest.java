package org.hourstone.series;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class FillStepTest {
  private static final long START = 1_500_001_200_000L;
  private static final long HOUR = 3_600_000;

  private static FillStep step(String downsample) {
    return new FillStep(Downsample.parse(downsample), START, START + HOUR);
  }

  @Test
  void whatHasNoRoomIsRefusedBeforeABucketIsFilled() {
    MemoryLease small =
        new MemoryLease(
            bytes -> {
              if (bytes > 1_000_000) {
                throw new IllegalStateException(bytes + " bytes");
              }
            });
    PointColumn each = new PointColumn();
    for (long second = START; second < START + HOUR; second += 1000) {
      each.addLong(second + 999, 1);
    }
    PointColumn out = new PointColumn(small);

    String all = "[67][0-9]{7} bytes"; // of 3.6 million points
    assertThatThrownBy(() -> step("1ms-avg-zero").accept(each, out)).hasMessageMatching(all);
    assertThatThrownBy(() -> step("1ms-avg-zero").settle(START + HOUR, out))
        .hasMessageMatching(all);
    assertThatThrownBy(() -> step("1ms-avg-zero").finish(out)).hasMessageMatching(all);
    assertThat(out.size()).isZero();
  }

  @Test
  void manyBucketsAreFilledAroundAPoint() {
    PointColumn point = new PointColumn();
    point.addLong(START + HOUR / 2, 1);
    PointColumn out = new PointColumn();
    FillStep step = step("1s-avg-zero");

    step.accept(point, out);
    step.settle(START + HOUR / 4 * 3, out);
    step.finish(out);

    assertThat(out.size()).isEqualTo(3600);
    assertThat(out.millis(3599)).isEqualTo(START + HOUR - 1000);
    assertThat(out.doubleValue(1800)).isEqualTo(1);
    assertThat(out.doubleValue(3599)).isZero();
  }
}
