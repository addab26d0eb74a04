package org.hourstone.write;

import org.jspecify.annotations.Nullable;

/**
 * A future of one point, which has the point written as soon as a caller waits for it. The point
 * may be handed in before or after that.
 */
abstract class HurriedFuture extends WaitableFuture<@Nullable Void> implements Receipt {
  /** Has the points of an hour written soon. */
  interface Hurrying {
    void hurry(Series series, long timestamp);
  }

  private final Hurrying writer;
  private long timestamp;
  private volatile @Nullable Series series;
  private volatile boolean hurried;

  HurriedFuture(Hurrying writer) {
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
  public boolean isAwaited() {
    return hurried || isWaitedFor();
  }
}
