package org.hourstone.query;

import java.util.List;

/** Which series' rows are read, as far as that is known before reading. */
sealed interface AccessPath {
  /** How many rows are looked for by their keys at most: there may be none in most hours. */
  long MOST_PICKS = 100_000;

  /** Why the series are read in this way. */
  String why();

  /** Those found by scanning. */
  record Scanned(String why) implements AccessPath {}

  /**
   * These and no others, whose rows are read one by one.
   *
   * @param tsuids ascending
   * @param why where they are known from
   */
  record Picked(List<byte[]> tsuids, String why) implements AccessPath {}
}
