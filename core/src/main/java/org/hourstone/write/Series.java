package org.hourstone.write;

import org.hourstone.codec.RowKey;
import org.jspecify.annotations.Nullable;

/**
 * A series with its names resolved. Two objects may stand for one series; what is kept in {@link
 * #openRow} belongs to the one flusher that writes the series.
 */
final class Series {
  private final RowKey keys;
  private final byte[] tsuid;
  private final int hash;

  /** The row that the flusher last put a point of this series into. Flusher thread only. */
  @Nullable RowBatch openRow;

  Series(RowKey keys, byte[] tsuid) {
    this.keys = keys;
    this.tsuid = tsuid;
    this.hash = java.util.Arrays.hashCode(tsuid);
  }

  byte[] tsuid() {
    return tsuid;
  }

  byte[] rowKey(long baseTime) {
    return keys.rowKey(tsuid, baseTime);
  }

  /** Equal for objects of one series. */
  int hash() {
    return hash;
  }
}
