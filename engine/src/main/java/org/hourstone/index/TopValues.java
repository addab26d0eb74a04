package org.hourstone.index;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/** Finds the most frequent values of a tag name. */
final class TopValues {
  private record Candidate(int series, long value) {}

  /**
   * The more frequent value is greater; of two equally frequent values, the one with the smaller
   * UID.
   */
  private static final Comparator<Candidate> ORDER =
      Comparator.comparingInt(Candidate::series)
          .thenComparing((a, b) -> Long.compareUnsigned(b.value(), a.value()));

  private TopValues() {}

  /** At most {@code most} values, the most frequent first. */
  static List<TagCardinality.ValueCount> of(TagColumn column, int most, int width) {
    PriorityQueue<Candidate> best = new PriorityQueue<>(ORDER);
    for (int i = 0; i < column.size() && most > 0; i++) {
      Candidate candidate = new Candidate(column.seriesOf(i), column.value(i));
      if (best.size() < most) {
        best.add(candidate);
      } else if (ORDER.compare(best.element(), candidate) < 0) {
        best.remove();
        best.add(candidate);
      }
    }
    List<Candidate> ordered = new ArrayList<>(best);
    ordered.sort(Collections.reverseOrder(ORDER));
    return ordered.stream()
        .map(
            each ->
                new TagCardinality.ValueCount(UidNumber.bytes(each.value(), width), each.series()))
        .toList();
  }
}
