package org.hourstone.tool;

import org.hourstone.error.RequestException;

/**
 * How cells are copied.
 *
 * @param policy the rule for cells that already exist in the target
 * @param verifyOnly whether cells are only compared and nothing is written
 * @param threads the number of worker threads, at least 1
 */
public record CopyOptions(Policy policy, boolean verifyOnly, int threads) {
  /** The rule for a cell with another value in the target. Names are never replaced. */
  public enum Policy {
    /** The target's cell stays and is reported. */
    REFUSE,
    /** The cell written later is kept. */
    UPDATE,
    /** The source's cell replaces it. */
    OVERWRITE
  }

  public CopyOptions {
    if (threads < 1) {
      throw new RequestException("threads " + threads + ": must be at least 1");
    }
  }
}
