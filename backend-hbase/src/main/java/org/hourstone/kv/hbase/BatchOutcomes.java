package org.hourstone.kv.hbase;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.hourstone.kv.BatchException;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.jspecify.annotations.Nullable;

/** The outcomes of the elements of a batch, by their positions in it. */
final class BatchOutcomes {
  private final List<@Nullable Outcome> outcomes;
  private @Nullable StoreException first;

  BatchOutcomes(int size) {
    outcomes = new ArrayList<>(Collections.nCopies(size, null));
  }

  /** Whether an element has not failed. */
  boolean isApplied(int place) {
    return outcomes.get(place) == null;
  }

  /** The positions of the elements that have not failed. */
  List<Integer> applied() {
    return IntStream.range(0, outcomes.size()).filter(this::isApplied).boxed().toList();
  }

  void set(int place, StoreException failure) {
    outcomes.set(place, failure.outcome());
    first = first == null ? failure : first;
  }

  /** Records the failure of a batch in which the elements at these positions were sent. */
  void set(List<Integer> places, StoreException failure) {
    for (int i = 0; i < places.size(); i++) {
      outcomes.set(
          places.get(i),
          failure instanceof BatchException parts ? parts.outcomes().get(i) : failure.outcome());
    }
    first = first == null ? failure : first;
  }

  /**
   * @throws StoreException if an element has failed
   */
  void report() {
    if (first == null) {
      return;
    }
    if (outcomes.stream().distinct().count() == 1 && !(first instanceof BatchException)) {
      throw first;
    }
    String message = String.valueOf(first.getMessage());
    throw new BatchException(
        first instanceof BatchException ? message : message + ", and not all of the batch",
        outcomes,
        first);
  }
}
