package org.hourstone.write;

import org.hourstone.internal.ForeignCode;

/**
 * Receives the outcome of points: for each point exactly once, either {@link #stored} or {@link
 * #failed}. Called by the pipeline's threads, several at a time; must neither block nor throw.
 */
public interface Receipt {
  /**
   * The store has accepted the point.
   *
   * @param token the token passed with the point
   */
  void stored(long token);

  /**
   * The store has accepted points: the same as {@link #stored(long)} for each, unless a receipt
   * overrides it to do less.
   *
   * @param tokens the tokens passed with the points, among others; must not be changed or kept
   * @param from the index of the first one
   * @param to the index after the last one
   */
  default void stored(long[] tokens, int from, int to) {
    for (int i = from; i < to; i++) {
      try {
        stored(tokens[i]);
      } catch (Throwable e) { // which must not keep the others from being notified
        ForeignCode.report(e);
      }
    }
  }

  /**
   * The point is not stored, or it is unknown whether it is stored.
   *
   * @param token the token passed with the point
   * @param reason the failure; the outcome of a {@link org.hourstone.kv.StoreException}
   *     distinguishes the two
   */
  void failed(long token, RuntimeException reason);

  /**
   * Whether a caller waits for the outcome. Such a point is written with the next batch; others may
   * be buffered for the flush interval, to be written with more of their row. Called when a point
   * arrives and about once a second while it is buffered.
   */
  default boolean isAwaited() {
    return false;
  }

  /**
   * Whether the points come from the {@linkplain PointMirror mirror} of another server. They are
   * not mirrored again: two servers that mirror each other would send them to and fro.
   */
  default boolean isMirrored() {
    return false;
  }
}
