package org.hourstone.internal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonPointsTest {
  private static final long SEED = new Random().nextLong();

  private static String written(boolean arrays, List<Long> times, List<Long> values) {
    JsonBuffer json = new JsonBuffer(1);
    JsonPoints points = new JsonPoints(json, arrays, DecimalForm.JAVA);
    for (int i = 0; i < times.size(); i++) {
      points.add(times.get(i), values.get(i));
    }
    return new String(json.toByteArray(), UTF_8);
  }

  private static String expected(boolean arrays, List<Long> times, List<Long> values) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < times.size(); i++) {
      text.append(arrays ? "[" : "\"").append(times.get(i)).append(arrays ? "," : "\":");
      text.append(values.get(i)).append(arrays ? "]," : ",");
    }
    return text.toString();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void eachPointHasItsTimeAndValue(boolean arrays) {
    Random random = new Random(SEED);
    for (int bits = 1; bits < Long.SIZE; bits++) {
      List<Long> times = new ArrayList<>();
      List<Long> values = new ArrayList<>();
      long time = random.nextLong() >>> bits;
      long step = random.nextLong() >>> random.nextInt(1, Long.SIZE);
      for (int i = 0; i < 50; i++) {
        times.add(time);
        values.add(random.nextLong() >> random.nextInt(Long.SIZE));
        time = random.nextInt(10) == 0 ? random.nextLong() >>> bits : time + step / 20;
      }
      assertThat(written(arrays, times, values))
          .describedAs("seed %d", SEED)
          .isEqualTo(expected(arrays, times, values));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void timesAroundThoseWithOtherFirstDigits(boolean arrays) {
    List<Long> times =
        List.of(
            0L,
            1L,
            9_999L,
            10_000L,
            10_001L,
            9_999L,
            19_999L,
            20_000L,
            999_999L,
            1_000_000L,
            1_499_999_999L,
            1_500_000_000L,
            1_499_999_999_999L,
            1_500_000_000_000L,
            99_999_999_999L,
            100_000_000_000L,
            -1L,
            -20_000L,
            5L,
            Long.MAX_VALUE,
            Long.MIN_VALUE);
    List<Long> values = new ArrayList<>(times);
    values.replaceAll(time -> time % 1001);

    assertThat(written(arrays, times, values)).isEqualTo(expected(arrays, times, values));
  }

  @Test
  void smallIntegersHaveTheirDigits() {
    for (long value = -1001; value <= 1001; value++) {
      assertThat(written(false, List.of(1_500_000_000L), List.of(value)))
          .isEqualTo("\"1500000000\":" + value + ",");
    }
  }

  @Test
  void doublesAndNulls() {
    double other = Double.parseDouble("2e23"); // 1.9999999999999998E23 in Java 17
    JsonBuffer json = new JsonBuffer(1);
    for (DecimalForm form : DecimalForm.values()) {
      JsonPoints points = new JsonPoints(json, true, form);
      points.add(1_500_000_000L, 0.5);
      points.addNull(1_500_000_001L);
      points.add(1_500_000_002L, Double.NaN);
      points.add(1_500_000_003L, other);
    }
    assertThat(new String(json.dropLast().toByteArray(), UTF_8))
        .isEqualTo(
            "[1500000000,0.5],[1500000001,null],[1500000002,\"NaN\"],[1500000003,"
                + Double.toString(other)
                + "],[1500000000,0.5],[1500000001,null],[1500000002,\"NaN\"],[1500000003,"
                + "2.0E23"
                + "]");
  }
}
