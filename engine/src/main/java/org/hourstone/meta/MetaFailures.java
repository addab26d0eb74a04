package org.hourstone.meta;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Metadata that could not be written while points were. The points are not concerned; what is
 * missing can be written later ({@code uid metasync}). Thread-safe.
 */
public final class MetaFailures {
  private final AtomicLong count = new AtomicLong();
  private volatile Consumer<String> listener = what -> {};
  private volatile @Nullable String last;

  void add(String what, RuntimeException e) {
    add(what, String.valueOf(e.getMessage()));
  }

  void add(String what, String reason) {
    String failure = what + ": " + reason;
    last = failure;
    if (count.getAndIncrement() == 0) {
      listener.accept(failure);
    }
  }

  /** Has somebody told of the first failure: what failed, and why. */
  public void onFirst(Consumer<String> told) {
    listener = told;
  }

  /** How many there were. */
  public long count() {
    return count.get();
  }

  /** What failed last, and why; null if nothing did. */
  public @Nullable String last() {
    return last;
  }
}
