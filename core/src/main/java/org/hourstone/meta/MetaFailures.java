package org.hourstone.meta;

import java.util.concurrent.atomic.LongAdder;
import org.hourstone.kv.StoreException;
import org.jspecify.annotations.Nullable;

/**
 * Metadata that could not be written while points were. The points are not concerned; what is
 * missing can be written later ({@code uid metasync}). Thread-safe.
 */
public final class MetaFailures {
  private final LongAdder count = new LongAdder();
  private volatile @Nullable String last;

  void add(String what, StoreException e) {
    count.increment();
    last = what + ": " + e.getMessage();
  }

  /** How many there were. */
  public long count() {
    return count.sum();
  }

  /** What failed last, and why; null if nothing did. */
  public @Nullable String last() {
    return last;
  }
}
