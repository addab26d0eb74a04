package org.hourstone.testkit;

import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.hourstone.kv.Row;

/** Rows that a faulty store returns: parts of rows, and rows of several moments. */
final class RowParts {
  private RowParts() {}

  /** The first cells of one reading and the others of a second one. */
  static Row joined(Row first, Row second, int half) {
    if (second.size() != first.size()) {
      return second;
    }
    byte[][] qualifiers = new byte[first.size()][];
    byte[][] values = new byte[first.size()][];
    long[] times = new long[first.size()];
    for (int i = 0; i < first.size(); i++) {
      Row from = i < half ? first : second;
      qualifiers[i] = from.qualifier(i);
      values[i] = from.value(i);
      times[i] = from.writeTime(i);
    }
    return Row.of(first.key(), qualifiers, values, times);
  }

  static Row kept(Row row, Predicate<Integer> cells) {
    return row.only(IntStream.range(0, row.size()).boxed().filter(cells).toList());
  }

  /** What was observed, with the values that are there now under the same times. */
  static Row withPresentValues(Row observed, Row present) {
    byte[][] qualifiers = new byte[observed.size()][];
    byte[][] values = new byte[observed.size()][];
    long[] times = new long[observed.size()];
    for (int i = 0; i < observed.size(); i++) {
      int at = present.indexOf(observed.qualifier(i));
      qualifiers[i] = observed.qualifier(i);
      values[i] = at < 0 ? observed.value(i) : present.value(at);
      times[i] = observed.writeTime(i);
    }
    return Row.of(observed.key(), qualifiers, values, times);
  }
}
