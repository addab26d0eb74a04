package org.hourstone.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.hourstone.testkit.LoggedBy;
import org.hourstone.testkit.ManualClock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FailureLogTest {
  private final ManualClock clock = new ManualClock(Instant.ofEpochSecond(1_500_000_000));
  private final FailureLog failures =
      new FailureLog("org.hourstone.test", "it is not done", "it is done again", clock);
  private final LoggedBy log = LoggedBy.thisThread("org.hourstone.test");

  @AfterEach
  void releaseLog() {
    log.close();
  }

  private void fail(int times, int everySeconds) {
    for (int i = 0; i < times; i++) {
      failures.add("series " + failures.count() + ": full");
      clock.advance(Duration.ofSeconds(everySeconds));
    }
  }

  @Test
  void anOutageHasALineAtItsBeginOneAMinuteAndOneAtItsEnd() {
    failures.succeeded();
    fail(13, 10);
    failures.succeeded(); // another series
    assertThat(log.lines())
        .containsExactly(
            "WARNING it is not done: series 0: full",
            "WARNING it is not done: series 6: full; 5 more since the last message",
            "WARNING it is not done: series 12: full; 5 more since the last message");

    clock.advance(Duration.ofSeconds(50));
    failures.succeeded();
    failures.succeeded();
    assertThat(log.lines())
        .hasSize(4)
        .last()
        .isEqualTo("INFO it is done again: 13 failures in 120 s");

    fail(1, 0);
    assertThat(log.lines()).hasSize(5).last().isEqualTo("WARNING it is not done: series 13: full");
    assertThat(failures.count()).isEqualTo(14);
    assertThat(failures.last()).isEqualTo("series 13: full");
  }

  /** Such as one tree of two whose rules can't be applied. */
  @Test
  void failuresAmongSuccessesAreOneOutage() {
    for (int i = 0; i < 1000; i++) {
      fail(1, 0);
      failures.succeeded();
    }
    assertThat(log.lines()).hasSize(1);
    clock.advance(Duration.ofMinutes(1));
    failures.succeeded();
    assertThat(log.lines())
        .hasSize(2)
        .last()
        .isEqualTo("INFO it is done again: 1000 failures in 0 s");
  }

  @Test
  void aClockThatIsSetBackDoesNotSilenceIt() {
    fail(1, 0);
    clock.advance(Duration.ofDays(-1));
    fail(1, 0);
    assertThat(log.lines()).hasSize(2);
  }
}
