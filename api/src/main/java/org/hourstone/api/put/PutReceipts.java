package org.hourstone.api.put;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.BitSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.hourstone.api.endpoint.Failures;
import org.hourstone.api.request.ApiException;
import org.hourstone.api.request.RefusalReason;
import org.hourstone.write.Receipt;
import org.jspecify.annotations.Nullable;

/**
 * The results of the points of one request, by index: each point is refused, stored or failed,
 * exactly once. Points that are stored together cost one atomic change. Thread-safe, but {@link
 * #await} and what is valid after it are for the thread of the request.
 */
final class PutReceipts implements Receipt {
  private static final Refusal TIMEOUT =
      new Refusal("Timeout exception", RefusalReason.HBASE_ERRORS, null);
  private static final VarHandle FLAGS = MethodHandles.arrayElementVarHandle(byte[].class);

  /** Not 0 for a point that is settled; set after its error. */
  private final byte[] settled;

  private final AtomicReferenceArray<@Nullable Refusal> errors;
  private final AtomicInteger open;
  private final CountDownLatch done;
  private volatile boolean hasErrors;

  /** Not changed once a point was put. */
  private boolean isMirrored;

  /** That of the point refused last: points are often refused for one reason. */
  private volatile @Nullable Refusal latest;

  /** The points that were not settled when the wait ended; null if all were. */
  private @Nullable BitSet late;

  /**
   * Why a point is not stored.
   *
   * @param cause null if it was refused before it was put
   */
  record Refusal(String text, RefusalReason reason, @Nullable RuntimeException cause) {

    /** Whether the point may be stored if it is sent again: the store or the server failed. */
    boolean isWorthRepeating() {
      return cause == null ? reason == TIMEOUT.reason() : Failures.isTemporary(cause);
    }
  }

  PutReceipts(int points) {
    this.settled = new byte[points];
    this.errors = new AtomicReferenceArray<>(points);
    this.open = new AtomicInteger(points);
    this.done = new CountDownLatch(points > 0 ? 1 : 0);
  }

  @Override
  public void stored(long token) {
    FLAGS.setRelease(settled, (int) token, (byte) 1);
    settle(1);
  }

  @Override
  public void stored(long[] tokens, int from, int to) {
    for (int i = from; i < to; i++) {
      FLAGS.setRelease(settled, (int) tokens[i], (byte) 1);
    }
    settle(to - from);
  }

  @Override
  public void failed(long token, RuntimeException reason) {
    Refusal known = latest;
    refused(
        (int) token,
        known != null && known.cause() == reason
            ? known
            : new Refusal(Failures.ofPoint(reason), RefusalReason.of(reason), reason));
  }

  /** The response is sent when all points are stored or have failed. */
  @Override
  public boolean isAwaited() {
    return true;
  }

  /** The points come from another server's mirror. To be called before any is put. */
  void areMirrored() {
    isMirrored = true;
  }

  @Override
  public boolean isMirrored() {
    return isMirrored;
  }

  /** A point was refused, since something in it is wrong. */
  void refused(int point, String reason) {
    Refusal known = latest;
    refused(
        point,
        known != null && known.cause() == null && known.text().equals(reason)
            ? known
            : new Refusal(reason, RefusalReason.ILLEGAL_ARGUMENTS, null));
  }

  private void refused(int point, Refusal refusal) {
    latest = refusal;
    errors.set(point, refusal);
    hasErrors = true;
    FLAGS.setRelease(settled, point, (byte) 1);
    settle(1);
  }

  private void settle(int points) {
    if (open.addAndGet(-points) <= 0) {
      done.countDown();
    }
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
        done.await();
      } else if (!done.await(timeoutMillis, TimeUnit.MILLISECONDS)) {
        late = unsettled();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ApiException(ApiException.INTERNAL_ERROR, "interrupted while writing");
    }
  }

  private BitSet unsettled() {
    BitSet found = new BitSet(settled.length);
    for (int i = 0; i < settled.length; i++) {
      found.set(i, (byte) FLAGS.getAcquire(settled, i) == 0);
    }
    return found;
  }

  /** Whether some points are not stored. Valid after {@link #await} has returned. */
  boolean anyError() {
    return hasErrors || late != null;
  }

  /**
   * The reason why a point is not stored, or null if it is. Valid after {@link #await} has
   * returned.
   */
  @Nullable String error(int point) {
    Refusal refusal = refusal(point);
    return refusal == null ? null : refusal.text();
  }

  /** As {@link #error}, with its kind. */
  @Nullable Refusal refusal(int point) {
    return isTimeout(point) ? TIMEOUT : errors.get(point); // one that has timed out stays so
  }

  /** Whether a point was neither stored nor refused within the timeout. */
  boolean isTimeout(int point) {
    return late != null && late.get(point);
  }
}
