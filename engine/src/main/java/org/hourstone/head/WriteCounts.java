package org.hourstone.head;

import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** How many points and cells were stored, and how many failed. Thread-safe. */
public final class WriteCounts {
  private final LongAdder stored = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private volatile @Nullable String lastFailure;

  public long stored() {
    return stored.sum();
  }

  public long failed() {
    return failed.sum();
  }

  /** The last reason why something was not stored; null if there was none. */
  public @Nullable String lastFailure() {
    return lastFailure;
  }

  public void addStored(int count) {
    stored.add(count);
  }

  /** Counts elements that were not written. */
  public void addFailed(int count, RuntimeException reason) {
    if (count > 0) {
      failed.add(count);
      failed(reason);
    }
  }

  /** Rows could not be written; their points are not lost. */
  public void failed(RuntimeException reason) {
    lastFailure = String.valueOf(reason.getMessage());
  }
}
