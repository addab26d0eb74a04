package org.hourstone.write;

import org.jspecify.annotations.Nullable;

/**
 * Completes when its one point is stored, or exceptionally when it is not. Who waits for it, or for
 * a stage derived from it, has the point written at once, without the flush interval.
 */
public class FutureReceipt extends WaitableFuture<@Nullable Void> implements Receipt {
  private final PointWriter writer;
  private volatile boolean awaited;

  /**
   * @param writer to which the point is handed
   */
  public FutureReceipt(PointWriter writer) {
    super(null);
    this.writer = writer;
  }

  @Override
  final void hurry() {
    awaited = true;
    writer.lookForAwaited();
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
    return awaited;
  }
}
