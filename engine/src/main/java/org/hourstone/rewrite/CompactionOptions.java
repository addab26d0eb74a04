package org.hourstone.rewrite;

import java.time.Duration;
import org.hourstone.codec.DuplicatePolicy;

/**
 * How rows are compacted.
 *
 * @param duplicates which of two points that share a timestamp is kept; a row with a conflict that
 *     is an error is not changed
 * @param cellsInStoredOrder whether the points of a cell are used in stored order, as OpenTSDB does
 * @param appends how append cells are treated
 * @param maxCellBytes the maximum size of a cell, its qualifier and value together
 * @param quiet for how long a row must not have been written to before it is compacted
 */
public record CompactionOptions(
    DuplicatePolicy duplicates,
    boolean cellsInStoredOrder,
    Appends appends,
    int maxCellBytes,
    Duration quiet) {

  /** How a row's append cell is treated. */
  public enum Appends {
    /** A row with an append cell is not changed, as in OpenTSDB. */
    LEFT,
    /** The append cell is repaired, see {@link RowCompactor#repair}; the row's other cells stay. */
    REPAIRED,
    /** Its points are merged with those of the other cells. */
    MERGED
  }

  public CompactionOptions {
    if (maxCellBytes < 1 || quiet.isNegative()) {
      throw new IllegalArgumentException(
          "a cell of at most " + maxCellBytes + " bytes, unchanged for " + quiet);
    }
  }
}
