package org.hourstone.write;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class OffsetIndexTest {
  private static final int MILLIS_PER_HOUR = 3_600_000;

  @Test
  void findsWhatWasPut() {
    Random random = new Random(1);
    for (int round = 0; round < 20; round++) {
      OffsetIndex index = new OffsetIndex();
      Map<Integer, Integer> expected = new HashMap<>();
      for (int i = 0; i < 5000; i++) {
        int offset = random.nextInt(round % 2 == 0 ? 3000 : MILLIS_PER_HOUR);
        assertThat(index.find(offset)).isEqualTo(expected.getOrDefault(offset, -1));
        if (!expected.containsKey(offset)) {
          index.makeRoom();
          index.put(offset, i);
          expected.put(offset, i);
        }
      }
    }
  }

  /** A row has at most a point per millisecond, and mostly one per second or every ten. */
  @Test
  void aPointIsFoundWithinFewStepsWhateverTheStep() {
    for (int step : List.of(1, 10, 16, 1000, 1024, 10_000, 60_000, 65_536)) {
      OffsetIndex index = new OffsetIndex();
      List<Integer> offsets =
          new ArrayList<>(
              IntStream.range(0, Math.min(100_000, MILLIS_PER_HOUR / step))
                  .mapToObj(i -> i * step)
                  .toList());
      long steps = 0;
      for (int offset : offsets) {
        index.makeRoom();
        index.put(offset, offset);
      }
      for (int offset : offsets) {
        steps += index.steps(offset);
      }
      assertThat(steps).describedAs("step %d", step).isLessThanOrEqualTo(4L * offsets.size());
    }
  }
}
