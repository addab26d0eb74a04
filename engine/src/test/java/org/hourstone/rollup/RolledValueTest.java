package org.hourstone.rollup;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.hourstone.series.Aggregator;
import org.junit.jupiter.api.Test;

class RolledValueTest {
  /** The first one counts, as over points: others return 0 where these return -0. */
  @Test
  void ofZerosTheFirstIsTheLeastAndTheMost() {
    for (List<Double> values : List.of(List.of(0.0, -0.0), List.of(-0.0, 0.0))) {
      RolledValue rolled = new RolledValue();
      RolledValue ofAll = new RolledValue();
      for (double value : values) {
        RolledValue one = new RolledValue();
        one.add(true, Double.doubleToRawLongBits(value), value);
        rolled.add(true, Double.doubleToRawLongBits(value), value);
        ofAll.addAll(one);
      }
      double[] points = values.stream().mapToDouble(Double::doubleValue).toArray();
      for (RolledValue each : List.of(rolled, ofAll)) {
        assertThat(Double.toString(each.min().value()))
            .isEqualTo(Double.toString(Aggregator.MIN.combined(points)));
        assertThat(Double.toString(each.max().value()))
            .isEqualTo(Double.toString(Aggregator.MAX.combined(points)));
        assertThat(Double.toString(each.sum().value()))
            .isEqualTo(Double.toString(Aggregator.SUM.combined(points)));
      }
    }
  }
}
