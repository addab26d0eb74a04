package org.hourstone.tsd.compare;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What became of a request that both servers were asked.
 *
 * @param differences of the two answers; empty if they are equal, or were not compared
 * @param unanswered why there was nothing to compare, first of A, then of B; null if there was
 */
record Compared(List<Difference> differences, @Nullable String unanswered) {
  static Compared of(List<Difference> differences) {
    return new Compared(List.copyOf(differences), null);
  }

  static Compared unanswered(String reason) {
    return new Compared(List.of(), reason);
  }
}
