package org.hourstone.codec;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RowPointsTest {
  private final RowPoints points = new RowPoints();

  private void addIntegers(long... values) {
    for (long value : values) {
      points.add(points.size() * 1000, points.size() % 2 == 0, Value.flagsOf(value), value);
    }
  }

  @Test
  void integersOfUpToFourBytesAreHandedOut() {
    addIntegers(1, 2, 3);
    assertThat(points.smallIntegers()).startsWith(1, 2, 3);
    addIntegers(-300, Integer.MIN_VALUE, Integer.MAX_VALUE);
    assertThat(points.smallIntegers())
        .startsWith(1, 2, 3, -300, Integer.MIN_VALUE, Integer.MAX_VALUE);
  }

  @ParameterizedTest
  @ValueSource(ints = {7, Value.FLOAT_FLAGS, Value.DOUBLE_FLAGS})
  void othersAreNot(int flags) {
    points.add(0, false, flags, 1);
    assertThat(points.smallIntegers()).isNull();
    points.clear();
    addIntegers(1, 300);
    points.add(5000, false, flags, 1);
    assertThat(points.smallIntegers()).isNull();
  }
}
