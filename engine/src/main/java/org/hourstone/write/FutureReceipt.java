package org.hourstone.write;

import org.jspecify.annotations.Nullable;

/**
 * Completes when its one point is stored, or exceptionally when it is not. If a caller waits by
 * {@code get} or {@code join} for this future, or for a stage derived from it by one of its
 * methods, the point is written immediately, without the flush interval. If the caller waits by
 * other means, {@code allOf} for example, the point is written within about a second.
 */
public class FutureReceipt extends WaitableFuture<@Nullable Void> implements Receipt {
  private final PointWriter writer;
  private long timestamp;
  private volatile @Nullable Series series;
  private volatile boolean hurried;

  /**
   * @param writer to which the point is handed
   */
  public FutureReceipt(PointWriter writer) {
    super(null);
    this.writer = writer;
  }

  /** The point is about to be queued. */
  final void handedIn(Series of, long at) {
    timestamp = at;
    series = of;
  }

  @Override
  final void hurry() {
    hurried = true;
    Series of = series;
    if (of != null) {
      writer.hurry(of, timestamp);
    }
  }

  @Override
  public void stored(long token) {
    complete(null);
  }

  @Override
  public void failed(long token, RuntimeException reason) {
    completeExceptionally(reason);
  }

  @Override
  public boolean isAwaited() {
    return hurried || isWaitedFor();
  }
}
