package org.hourstone.query.rows;

import java.util.ArrayList;
import java.util.List;
import org.hourstone.query.Corruption;
import org.hourstone.query.CorruptionPolicy;

/** The corruption found in all parts of a query. Thread-safe. */
public final class CorruptionTotal {
  private final List<String> first = new ArrayList<>();
  private long count;

  public synchronized void add(Corruption corruption) {
    count += corruption.count();
    for (String each : corruption.first()) {
      if (first.size() < CorruptionPolicy.FIRST) {
        first.add(each);
      }
    }
  }

  public synchronized Corruption sum() {
    return new Corruption(count, first);
  }
}
