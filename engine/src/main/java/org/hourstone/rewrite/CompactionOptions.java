package org.hourstone.rewrite;

import org.hourstone.codec.DuplicatePolicy;

/**
 * How rows are compacted.
 *
 * @param duplicates which of two points of one instant stays; rows with a conflict that fails are
 *     left as they are
 * @param cellsAsTheyStand whether the points of a cell are taken as they stand, as OpenTSDB does
 * @param appends what becomes of append cells
 * @param maxCellBytes how large a cell may get, its qualifier and value together
 * @param pointTimeAsWriteTime whether write times are the points' own times
 * @param quietSeconds for how long a row must not have been written to before it is looked at
 */
public record CompactionOptions(
    DuplicatePolicy duplicates,
    boolean cellsAsTheyStand,
    Appends appends,
    int maxCellBytes,
    boolean pointTimeAsWriteTime,
    int quietSeconds) {

  /** What becomes of a row's append cell. */
  public enum Appends {
    /** Nothing, and nothing of the row: OpenTSDB's way. */
    LEFT,
    /** It is put in order, see {@link AppendRepair}; else nothing. */
    REPAIRED,
    /** Its points go where the others go. */
    MERGED
  }

  public CompactionOptions {
    if (maxCellBytes < 1 || quietSeconds < 0) {
      throw new IllegalArgumentException(
          "a cell of at most " + maxCellBytes + " bytes, after " + quietSeconds + " quiet seconds");
    }
  }
}
