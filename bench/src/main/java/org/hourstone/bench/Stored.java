package org.hourstone.bench;

import java.util.concurrent.atomic.LongAdder;
import org.hourstone.write.Receipt;
import org.jspecify.annotations.Nullable;

/** Counts the points that are stored. Thread-safe. */
final class Stored implements Receipt {
  private final LongAdder points = new LongAdder();
  private volatile @Nullable RuntimeException failure;

  @Override
  public void stored(long token) {
    points.increment();
  }

  @Override
  public void stored(long[] tokens, int from, int to) {
    points.add(to - from);
  }

  @Override
  public void failed(long token, RuntimeException reason) {
    failure = reason;
  }

  /**
   * How many there are so far.
   *
   * @throws IllegalStateException if a point has failed
   */
  long points() {
    RuntimeException reason = failure;
    if (reason != null) {
      throw new IllegalStateException(reason);
    }
    return points.sum();
  }

  /** Returns when this number of points is stored. */
  void await(long count) throws InterruptedException {
    while (points() < count) {
      Thread.sleep(1);
    }
  }
}
