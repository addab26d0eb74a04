package org.hourstone.query;

import java.util.ArrayList;
import java.util.List;

/** The corruption found in all parts of a query. Thread-safe. */
final class CorruptionTotal {
  private final List<String> first = new ArrayList<>();
  private long count;

  synchronized void add(Corruption corruption) {
    count += corruption.count();
    for (String each : corruption.first()) {
      if (first.size() < CorruptionPolicy.FIRST) {
        first.add(each);
      }
    }
  }

  synchronized Corruption sum() {
    return new Corruption(count, first);
  }
}
