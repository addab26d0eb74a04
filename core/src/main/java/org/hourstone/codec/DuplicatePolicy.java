package org.hourstone.codec;

/**
 * The rule for two points of one row that share a timestamp and differ in value. Points with the
 * same bytes are the same point under every policy. See {@code docs/format/row-key.md#duplicates}.
 */
public enum DuplicatePolicy {
  /** The point written last is kept. */
  NEWEST_WINS,
  /** Reading fails: OpenTSDB's default. */
  FAIL,
  /** The largest value is kept, whenever it was written. */
  LARGEST_WINS,
  /** The smallest value is kept, whenever it was written. */
  SMALLEST_WINS;

  /**
   * Whether the write time of a cell is its point's timestamp ({@code
   * tsd.storage.use_otsdb_timestamp}) instead of the store's time. Then write times don't order
   * points of one timestamp, so that their values decide.
   */
  public boolean pointTimeAsWriteTime() {
    return this == LARGEST_WINS || this == SMALLEST_WINS;
  }
}
