package org.hourstone.tool;

import java.util.function.LongUnaryOperator;
import org.hourstone.kv.Family;

/**
 * A family that is copied.
 *
 * @param from its name in the source
 * @param to its name in the target
 * @param baseTime computes the base time of the row that contains a timestamp, both in seconds;
 *     only for {@link Holds#ROWS}
 */
public record CopyFamily(Family from, Family to, Holds holds, LongUnaryOperator baseTime) {
  /** The content of a family. */
  public enum Holds {
    /** UIDs to names, and the UIDs' metadata. */
    NAMES,
    /** Names to UIDs, and the counters. */
    UIDS,
    /** Series' metadata, by TSUID. */
    SERIES,
    /** Trees. */
    TREES,
    /** Rows of points or of rolled-up values. */
    ROWS
  }

  /** A family whose rows have no base time. */
  public CopyFamily(Family from, Family to, Holds holds) {
    this(from, to, holds, seconds -> seconds);
  }
}
