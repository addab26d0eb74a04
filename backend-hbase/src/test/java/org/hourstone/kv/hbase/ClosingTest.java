package org.hourstone.kv.hbase;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A store can be closed whatever became of its calls. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ClosingTest {
  private final InFlightCalls calls = new InFlightCalls("store", Duration.ofMillis(50));

  @Test
  void closingWaitsNoLongerForACallThanTheCallForAnAnswer() {
    long unused = calls.enter();

    calls.close();

    assertThatThrownBy(calls::enter)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("store is closed");
  }

  @Test
  void anAnswerThatNeverComesIsAFailure() {
    assertThatThrownBy(() -> calls.await(new CompletableFuture<>()))
        .isInstanceOf(CallFailedException.class);
  }
}
