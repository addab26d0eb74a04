package org.hourstone.query;

import java.util.ArrayList;
import java.util.List;

/** The damage that was found in all parts of a query. Thread-safe. */
final class DamageTotal {
  private final List<String> first = new ArrayList<>();
  private long count;

  synchronized void add(Damage damage) {
    count += damage.count();
    for (String each : damage.first()) {
      if (first.size() < DamageLog.FIRST) {
        first.add(each);
      }
    }
  }

  synchronized Damage sum() {
    return new Damage(count, first);
  }
}
