package org.hourstone.head;

import java.util.ArrayList;
import java.util.List;
import org.hourstone.kv.BatchException;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.jspecify.annotations.Nullable;

/** What a call of the store has made of the rows of a batch. */
record SealingAttempt(List<? extends Sealable> batch, @Nullable StoreException failure) {
  /** The outcome of one; null if it was applied. */
  @Nullable Outcome outcome(int i) {
    StoreException thrown = failure;
    if (thrown == null) {
      return null;
    }
    return thrown instanceof BatchException parts ? parts.outcomes().get(i) : thrown.outcome();
  }

  /** Those with an outcome. */
  List<Sealable> rows(@Nullable Outcome outcome) {
    List<Sealable> rows = new ArrayList<>();
    for (int i = 0; i < batch.size(); i++) {
      if (outcome(i) == outcome) {
        rows.add(batch.get(i));
      }
    }
    return rows;
  }

  /** Those worth another attempt: a put may be repeated whatever its outcome. */
  List<Sealable> unapplied() {
    List<Sealable> again = new ArrayList<>();
    for (int i = 0; i < batch.size(); i++) {
      Outcome outcome = outcome(i);
      if (outcome != null && outcome != Outcome.REJECTED) {
        Waiting waiting = batch.get(i).waiting();
        if (waiting != null) {
          waiting.unapplied(outcome);
        }
        again.add(batch.get(i));
      }
    }
    return again;
  }
}
