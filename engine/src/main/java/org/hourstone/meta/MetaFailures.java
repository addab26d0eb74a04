package org.hourstone.meta;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.hourstone.internal.ForeignCode;
import org.jspecify.annotations.Nullable;

/**
 * Counts failures to write metadata for points that were written. The points are not affected; the
 * missing metadata can be written later ({@code uid metasync}). Thread-safe.
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
      ForeignCode.run(() -> listener.accept(failure));
    }
  }

  /**
   * Registers a listener for the first failure, which receives the subject and the reason. Anything
   * it throws goes to the uncaught exception handler of the calling thread.
   */
  public void onFirst(Consumer<String> told) {
    listener = told;
  }

  /** The number of failures. */
  public long count() {
    return count.get();
  }

  /** The last failure and its reason; null if there was none. */
  public @Nullable String last() {
    return last;
  }
}
