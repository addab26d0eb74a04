package org.hourstone.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WindowSumTest {
  /** As OpenTSDB adds up. */
  private static double inOrder(double[] values, int from, int to) {
    double sum = 0;
    for (int i = to - 1; i >= from; i--) {
      sum += Double.isNaN(values[i]) ? 0 : values[i];
    }
    return sum;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 100, WindowSum.SHORT, WindowSum.SHORT + 1, 3000})
  void aSumIsThatOfTheNumbersInTheWindow(int length) {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    double[] whole = new double[8000];
    double[] broken = new double[whole.length];
    for (int i = 0; i < whole.length; i++) {
      boolean nan = random.nextInt(10) == 0;
      whole[i] = nan ? Double.NaN : random.nextInt(1_000_000) - 500_000;
      broken[i] = nan ? Double.NaN : random.nextDouble();
    }
    WindowSum ofWhole = new WindowSum(i -> whole[i]);
    WindowSum ofBroken = new WindowSum(i -> broken[i]);
    for (int to = 1; to <= whole.length; to++) {
      int from = Math.max(0, to - length);
      ofWhole.enter();
      ofBroken.enter();
      while (ofWhole.from() < from) {
        ofWhole.leave();
        ofBroken.leave();
      }
      assertThat(ofWhole.sum()).as("seed %d", seed).isEqualTo(inOrder(whole, from, to));
      double expected = inOrder(broken, from, to);
      assertThat(ofBroken.sum())
          .as("seed %d", seed)
          .isCloseTo(expected, within(length <= WindowSum.SHORT ? 0 : expected * 1e-13));
    }
  }

  @Test
  void infinityAndHugeNumbersLeaveNoTrace() {
    WindowSum window = new WindowSum(i -> i == 5 ? Double.POSITIVE_INFINITY : i == 6 ? 1e300 : 0.5);
    for (int to = 1; to <= 9000; to++) {
      window.enter();
      if (to > 2000) {
        window.leave();
      }
      if (window.from() > 6) {
        assertThat(window.sum()).isEqualTo(1000.0);
      } else if (window.from() == 6 && to > 6) {
        assertThat(window.sum()).isEqualTo(1e300);
      } else if (to > 5) {
        assertThat(window.sum()).isInfinite();
      }
    }
  }

  @Test
  void theCostOfAPointDoesNotGrowWithTheWindow() {
    for (int length : new int[] {2000, 20_000, 50_000}) {
      AtomicLong reads = new AtomicLong();
      WindowSum window = new WindowSum(i -> reads.incrementAndGet());
      int points = 100_000;
      for (int to = 1; to <= points; to++) {
        window.enter();
        if (to > length) {
          window.leave();
        }
        if (to >= length) {
          window.sum();
        }
      }
      assertThat(reads.get()).isLessThanOrEqualTo(4L * points);
    }
  }
}
