package org.hourstone.query;

import java.util.List;

/** Which series' rows are read, as far as that is known before reading. */
sealed interface AccessPath {
  /** The maximum number of rows to get by key; most hours may have none of them. */
  long MOST_PICKS = 100_000;

  /** Why the series are read this way. */
  String why();

  /** Approximately how much memory it takes, in bytes. */
  default long heldBytes() {
    return 0;
  }

  /** Those found by scanning. */
  record Scanned(String why) implements AccessPath {}

  /**
   * Exactly these series, whose rows are read one by one.
   *
   * @param tsuids ascending
   * @param why the reason, including where the series were found
   */
  record Picked(List<byte[]> tsuids, String why) implements AccessPath {
    private static final int BYTES_EACH = 64;

    @Override
    public long heldBytes() {
      return (long) BYTES_EACH * tsuids.size();
    }
  }
}
