package org.hourstone.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.junit.jupiter.api.Test;

class RetryTest {
  private final List<Integer> pauses = new ArrayList<>();
  private final Retry retry = new Retry(3, pauses::add);
  private int calls;

  private Integer fail(Outcome... outcomes) {
    int call = calls++;
    if (call < outcomes.length) {
      throw new StoreException(outcomes[call], "failure " + call);
    }
    return calls;
  }

  @Test
  void aCallIsRepeatedUntilItSucceeds() {
    assertThat(retry.call(() -> fail(Outcome.NOT_APPLIED, Outcome.UNKNOWN))).isEqualTo(3);
    assertThat(pauses).containsExactly(1, 2);
  }

  @Test
  void theLastFailureIsThrownWhenNoAttemptIsLeft() {
    Outcome no = Outcome.NOT_APPLIED;
    assertThatThrownBy(() -> retry.call(() -> fail(no, no, no, no))).hasMessage("failure 2");
    assertThat(pauses).containsExactly(1, 2);
  }

  @Test
  void aCallThatMayHaveBeenAppliedIsNotReportedAsNotApplied() {
    Outcome no = Outcome.NOT_APPLIED;
    assertThatThrownBy(() -> retry.call(() -> fail(no, Outcome.UNKNOWN, no)))
        .hasMessage("failure 1")
        .satisfies(e -> assertThat(((StoreException) e).outcome()).isEqualTo(Outcome.UNKNOWN))
        .satisfies(e -> assertThat(e.getSuppressed()[0]).hasMessage("failure 2"));
  }

  @Test
  void aRejectedCallIsNotRepeated() {
    assertThatThrownBy(() -> retry.run(() -> fail(Outcome.REJECTED))).hasMessage("failure 0");
    assertThat(pauses).isEmpty();
  }

  @Test
  void aCallThatMustNotBeAppliedTwiceIsRepeatedOnlyIfItWasNotApplied() {
    Retry once = retry.onlyUnapplied();
    assertThatThrownBy(() -> once.run(() -> fail(Outcome.NOT_APPLIED, Outcome.UNKNOWN)))
        .hasMessage("failure 1");
    assertThat(pauses).containsExactly(1);
  }

  @Test
  void nothingIsRepeatedOnceItIsLate() {
    Retry bounded = retry.unless(() -> calls == 2);
    Outcome no = Outcome.NOT_APPLIED;
    assertThatThrownBy(() -> bounded.run(() -> fail(no, no, no))).hasMessage("failure 1");
    assertThat(pauses).containsExactly(1);
  }

  @Test
  void anInterruptedThreadDoesNotRepeat() {
    Thread.currentThread().interrupt();
    try {
      assertThatThrownBy(() -> retry.run(() -> fail(Outcome.NOT_APPLIED))).hasMessage("failure 0");
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  @Test
  void progressStartsTheCountAgain() {
    Retry.Failures failures = retry.failures();
    StoreException failure = new StoreException(Outcome.NOT_APPLIED, "again");
    failures.add(failure);
    failures.add(failure);
    failures.reset();
    failures.add(failure);
    assertThat(pauses).containsExactly(1, 2, 1);
  }
}
