package org.hourstone.kv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.hourstone.kv.StoreException.Outcome;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class BatchExceptionTest {
  @Test
  void hasTheWorstOutcomeOfItsElements() {
    assertThat(outcome(null, Outcome.NOT_APPLIED)).isEqualTo(Outcome.NOT_APPLIED);
    assertThat(outcome(Outcome.NOT_APPLIED, null, Outcome.REJECTED)).isEqualTo(Outcome.REJECTED);
    assertThat(outcome(Outcome.REJECTED, Outcome.UNKNOWN, Outcome.NOT_APPLIED))
        .isEqualTo(Outcome.UNKNOWN);
  }

  private static Outcome outcome(@Nullable Outcome... outcomes) {
    return new BatchException("failed", Arrays.asList(outcomes), null).outcome();
  }

  @Test
  void keepsItsOwnListInTheOrderOfTheBatch() {
    List<@Nullable Outcome> outcomes =
        new ArrayList<>(Arrays.asList(null, Outcome.UNKNOWN, null, Outcome.REJECTED));
    RuntimeException cause = new IllegalStateException();
    BatchException failure = new BatchException("the disk is full", outcomes, cause);
    outcomes.clear();

    assertThat(failure.outcomes()).containsExactly(null, Outcome.UNKNOWN, null, Outcome.REJECTED);
    assertThatThrownBy(() -> failure.outcomes().set(0, Outcome.REJECTED))
        .isInstanceOf(UnsupportedOperationException.class);
    assertThat(failure).hasMessage("the disk is full").hasCause(cause);
  }

  @Test
  void isNotMadeForABatchThatWasApplied() {
    for (List<@Nullable Outcome> applied :
        List.<List<@Nullable Outcome>>of(List.of(), Collections.nCopies(3, null))) {
      assertThatThrownBy(() -> new BatchException("failed", applied, null))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("without a failed element");
    }
  }
}
