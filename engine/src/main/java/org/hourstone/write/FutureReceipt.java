package org.hourstone.write;

/**
 * Completes when its one point is stored, or exceptionally when it is not. If a caller waits by
 * {@code get} or {@code join} for this future, or for a stage derived from it by one of its
 * methods, the point is written immediately, without the flush interval. If the caller waits by
 * other means, {@code allOf} for example, the point is written within about a second.
 */
public class FutureReceipt extends HurriedFuture {
  /**
   * @param writer to which the point is handed
   */
  public FutureReceipt(PointWriter writer) {
    super(writer.intake()::hurry);
  }

  @Override
  public void stored(long token) {
    complete(null);
  }

  @Override
  public void failed(long token, RuntimeException reason) {
    completeExceptionally(reason);
  }
}
