package org.hourstone.tool;

import java.time.Instant;
import org.hourstone.codec.RowKey;
import org.hourstone.uid.NoSuchUidException;
import org.hourstone.uid.SeriesName;
import org.hourstone.uid.SeriesNames;
import org.hourstone.uid.UidTable;

/** Translates row keys of the data table to names. Thread-safe. */
public final class RowNames {
  private final RowKey keys;
  private final SeriesNames names;

  public RowNames(RowKey keys, UidTable uids) {
    this.keys = keys;
    this.names = new SeriesNames(keys, uids);
  }

  /**
   * The series of a row with a valid key.
   *
   * @throws NoSuchUidException if a UID in it has no name
   */
  public SeriesName series(byte[] row) {
    return names.of(keys.tsuid(row));
  }

  /**
   * The name of a row for messages, for any key: the series, with {@code ?hex} for UIDs without a
   * name; empty if the key can't belong to a series.
   */
  public String text(byte[] row) {
    if (isGlobal(row)) {
      return "(global annotations)";
    }
    return keys.isSeriesRow(row) ? names.text(keys.tsuid(row)).toString() : "";
  }

  /** As {@link #text}, with the base time if the key has one. */
  String place(byte[] row) {
    boolean hasTime = row.length >= keys.schema().tagsOffset();
    return text(row) + (hasTime ? " " + Instant.ofEpochSecond(keys.baseTime(row)) : "");
  }

  /** Whether a row is for global annotations, without metric and tags. */
  public boolean isGlobal(byte[] row) {
    if (row.length != keys.schema().tagsOffset()) {
      return false;
    }
    for (int i = keys.schema().saltWidth(); i < keys.schema().baseTimeOffset(); i++) {
      if (row[i] != 0) {
        return false;
      }
    }
    return true;
  }
}
