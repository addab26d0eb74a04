package org.hourstone.write;

import java.util.Arrays;
import org.hourstone.codec.RowKey;
import org.hourstone.head.OpenRow;
import org.hourstone.uid.UidTable;
import org.jspecify.annotations.Nullable;

/**
 * A series with its names resolved. Several objects may denote one series: they are equal. {@link
 * #openRow} belongs to the one flusher that writes the series.
 */
public final class Series {
  private final RowKey keys;
  private final byte[] tsuid;
  private final long asOf;
  private final long keptUntil;
  private final int hash;

  /** The row that the last point of this series went into. Flusher thread only. */
  @Nullable OpenRow openRow;

  /**
   * @param asOf {@link org.hourstone.uid.UidTable#changes} before its names were resolved
   * @param keptUntil {@link org.hourstone.uid.UidTable#keptUntil} then
   */
  Series(RowKey keys, byte[] tsuid, long asOf, long keptUntil) {
    this.keys = keys;
    this.tsuid = tsuid;
    this.asOf = asOf;
    this.keptUntil = keptUntil;
    this.hash = Arrays.hashCode(tsuid);
  }

  byte[] tsuid() {
    return tsuid;
  }

  /** Whether the resolved names are still valid. */
  boolean isCurrent(UidTable uids) {
    return uids.isCurrent(asOf, keptUntil);
  }

  byte[] rowKey(long baseTime) {
    return keys.rowKey(tsuid, baseTime);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Series series && Arrays.equals(tsuid, series.tsuid);
  }

  @Override
  public int hashCode() {
    return hash;
  }
}
