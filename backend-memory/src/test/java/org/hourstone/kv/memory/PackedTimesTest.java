package org.hourstone.kv.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.hourstone.kv.Change;
import org.junit.jupiter.api.Test;

class PackedTimesTest {
  @Test
  void timesOfEverySpreadAreKeptExactly() {
    for (int seed = 0; seed < 500; seed++) {
      Random random = new Random(seed);
      long earliest = random.nextLong(1L << random.nextInt(1, 44));
      long spread = Math.min(1L << random.nextInt(45), Change.MAX_WRITE_TIME + 1 - earliest);
      long[] times = new long[random.nextInt(20)];
      for (int i = 0; i < times.length; i++) {
        times[i] = earliest + random.nextLong(spread);
      }

      PackedTimes packed = PackedTimes.of(times, times.length);

      assertThat(packed.copyOfRange(0, times.length)).as("seed %d", seed).isEqualTo(times);
      for (int i = 0; i < times.length; i++) {
        assertThat(packed.get(i)).as("seed %d", seed).isEqualTo(times[i]);
      }
    }
  }

  @Test
  void theEndsOfTheRangeAreKept() {
    long[] times = {Change.MAX_WRITE_TIME, 0, 1, Change.MAX_WRITE_TIME - 1};

    assertThat(PackedTimes.of(times, 4).copyOfRange(0, 4)).isEqualTo(times);
    assertThat(PackedTimes.of(times, 4).copyOfRange(1, 3)).containsExactly(0, 1);
  }

  @Test
  void onlyTheFirstTimesAreTaken() {
    long[] times = {5, 7, 1_000_000};

    PackedTimes packed = PackedTimes.of(times, 2);

    assertThat(packed.copyOfRange(0, 2)).containsExactly(5, 7);
    assertThat(packed.bytes()).isEqualTo(2);
  }

  @Test
  void aTimeTakesNoMoreBytesThanTheSpreadNeeds() {
    long now = 1_356_998_400_000L;
    long[] times = new long[3_600];

    Arrays.fill(times, now);
    assertThat(PackedTimes.of(times, times.length).bytes()).isZero();

    for (int i = 0; i < times.length; i++) {
      times[i] = now + i * 1_000L;
    }
    assertThat(PackedTimes.of(times, times.length).bytes()).isEqualTo(3 * 3_600);
  }
}
