package org.hourstone.query;

import java.util.List;

/** Which series' rows are read, as far as that is known before reading. */
sealed interface ChosenSeries {
  /** Where they are known from, or why they are not. */
  String why();

  /** Those found by scanning. */
  record Scanned(String why) implements ChosenSeries {}

  /**
   * These and no others, whose rows are read one by one.
   *
   * @param tsuids ascending
   * @param why where they are known from
   */
  record Picked(List<byte[]> tsuids, String why) implements ChosenSeries {}
}
