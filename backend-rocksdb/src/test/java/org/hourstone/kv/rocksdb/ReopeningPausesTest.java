package org.hourstone.kv.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ReopeningPausesTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private final ReopeningPauses pauses = new ReopeningPauses(0);

  /** The seconds from a time until it is due, as the watch finds it. */
  private long due(long from) {
    long now = from;
    while (!pauses.isDue(now)) {
      now += DatabaseWatch.PERIOD;
    }
    return (now - from) / SECOND;
  }

  @Test
  void pausesBecomeLongerWhileOpeningFailsAndBeginAgainLater() {
    long now = 100 * SECOND;
    pauses.failed(now);
    assertThat(due(now)).isEqualTo(1);
    pauses.notOpened(now);
    assertThat(due(now)).isEqualTo(2);
    pauses.notOpened(now);
    assertThat(due(now)).isEqualTo(4);
    pauses.opened(now);
    pauses.failed(now + SECOND);
    assertThat(due(now + SECOND)).as("the same outage").isEqualTo(4);
    pauses.opened(now);
    pauses.failed(now + 4 * SECOND);
    assertThat(due(now + 4 * SECOND)).as("another one").isEqualTo(1);
  }

  /** With the second until the watch looks, and the time of opening: writes are back in 10 s. */
  @Test
  void whateverHasHappenedTheNextAttemptIsWithinFiveSeconds() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    assertThat(ReopeningPauses.LONGEST + DatabaseWatch.PERIOD).isLessThanOrEqualTo(5 * SECOND);
    long now = 0;
    for (int i = 0; i < 10_000; i++) {
      now += random.nextInt(6) * SECOND;
      switch (random.nextInt(3)) {
        case 0 -> pauses.failed(now);
        case 1 -> pauses.notOpened(now);
        default -> pauses.opened(now);
      }
      assertThat(pauses.isDue(now + ReopeningPauses.LONGEST)).as("seed %d", seed).isTrue();
    }
  }
}
