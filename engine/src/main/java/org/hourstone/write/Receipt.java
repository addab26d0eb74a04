package org.hourstone.write;

/**
 * Is told what became of points: for each point exactly once, either {@link #stored} or {@link
 * #failed}. Called by the pipeline's threads, several at a time; must neither block nor throw.
 */
public interface Receipt {
  /**
   * The store has accepted the point.
   *
   * @param token what the point was handed in with
   */
  void stored(long token);

  /**
   * The point is not stored, or nobody knows whether it is.
   *
   * @param token what the point was handed in with
   * @param reason why; a {@link org.hourstone.kv.StoreException} tells by its outcome which of both
   */
  void failed(long token, RuntimeException reason);

  /**
   * Whether somebody waits to be told. Such a point is written with the next batch, others may be
   * held back for the flush interval, to be written with more of their row. Asked when a point
   * comes and about once a second while it is held.
   */
  default boolean isAwaited() {
    return false;
  }
}
