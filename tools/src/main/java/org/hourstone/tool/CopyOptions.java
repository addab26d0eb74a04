package org.hourstone.tool;

import org.hourstone.error.RequestException;

/**
 * How cells are copied.
 *
 * @param policy the rule for cells that already exist in the target
 * @param verifyOnly whether cells are only compared and nothing is written
 * @param threads the number of worker threads, at least 1
 * @param since the write time, in milliseconds since the epoch, of the first cells to copy; 0 for
 *     all. What is deleted in the source is not deleted in the target
 */
public record CopyOptions(Policy policy, boolean verifyOnly, int threads, long since) {
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
    if (since < 0) {
      throw new RequestException("since " + since + ": must not be negative");
    }
  }

  /** All cells, whenever they were written. */
  public CopyOptions(Policy policy, boolean verifyOnly, int threads) {
    this(policy, verifyOnly, threads, 0);
  }
}
