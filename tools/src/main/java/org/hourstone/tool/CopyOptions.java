package org.hourstone.tool;

/**
 * How cells are copied.
 *
 * @param policy what becomes of cells the target has already
 * @param verifyOnly whether nothing is written, only compared
 * @param threads how many work, at least 1
 */
public record CopyOptions(Policy policy, boolean verifyOnly, int threads) {
  /** What becomes of a cell that has another value in the target. Names are never replaced. */
  public enum Policy {
    /** It stays, and is reported. */
    REFUSE,
    /** The one that was written later stays. */
    UPDATE,
    /** The source's takes its place. */
    OVERWRITE
  }

  public CopyOptions {
    if (threads < 1) {
      throw new IllegalArgumentException("threads " + threads + ": must be at least 1");
    }
  }
}
