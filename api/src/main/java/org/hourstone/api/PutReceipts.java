package org.hourstone.api;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.hourstone.write.Receipt;
import org.jspecify.annotations.Nullable;

/**
 * The results of the points of one request, by index: each point is refused, stored or failed,
 * exactly once. Thread-safe.
 */
final class PutReceipts implements Receipt {
  private static final String TIMEOUT = "Timeout exception";
  private static final String STORED = "";

  private final AtomicReferenceArray<@Nullable String> outcomes;
  private final CountDownLatch open;

  PutReceipts(int points) {
    this.outcomes = new AtomicReferenceArray<>(points);
    this.open = new CountDownLatch(points);
  }

  @Override
  public void stored(long token) {
    settle((int) token, STORED);
  }

  @Override
  public void failed(long token, RuntimeException reason) {
    settle((int) token, Failures.ofPoint(reason));
  }

  /** The response is sent when all points are settled. */
  @Override
  public boolean isAwaited() {
    return true;
  }

  /** A point was refused. */
  void refused(int point, String reason) {
    settle(point, reason);
  }

  private void settle(int point, String outcome) {
    outcomes.compareAndSet(point, null, outcome); // a point that has timed out stays so
    open.countDown();
  }

  /**
   * Waits until all points are settled.
   *
   * @param timeoutMillis the longest wait; 0 for no limit
   * @throws ApiException if the thread is interrupted
   */
  void await(long timeoutMillis) {
    try {
      if (timeoutMillis == 0) {
        open.await();
      } else if (!open.await(timeoutMillis, TimeUnit.MILLISECONDS)) {
        for (int i = 0; i < outcomes.length(); i++) {
          outcomes.compareAndSet(i, null, TIMEOUT);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ApiException(ApiException.INTERNAL_ERROR, "interrupted while writing");
    }
  }

  /**
   * The reason why a point is not stored, or null if it is. Valid after {@link #await} has
   * returned.
   */
  @Nullable String error(int point) {
    String outcome = outcomes.get(point);
    return STORED.equals(outcome) ? null : outcome;
  }

  /** Whether a point was neither stored nor refused within the timeout. */
  boolean isTimeout(int point) {
    return TIMEOUT.equals(outcomes.get(point));
  }
}
