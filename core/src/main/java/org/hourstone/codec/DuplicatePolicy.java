package org.hourstone.codec;

/**
 * What a reader does about two points of one row that have one instant and different values. Points
 * with the same bytes are the same point under every policy. See {@code
 * docs/format/row-key.md#instants}.
 */
public enum DuplicatePolicy {
  /** The one that was written last is kept. */
  NEWEST_WINS,
  /** Reading fails: OpenTSDB's default. */
  FAIL,
  /** The largest value is kept, whenever it was written. */
  LARGEST_WINS,
  /** The smallest value is kept, whenever it was written. */
  SMALLEST_WINS
}
