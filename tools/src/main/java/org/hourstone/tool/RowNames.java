package org.hourstone.tool;

import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import org.hourstone.codec.RowKey;
import org.hourstone.codec.TagPair;
import org.hourstone.uid.NoSuchUidException;
import org.hourstone.uid.UidKind;
import org.hourstone.uid.UidTable;

/** Translates row keys of the data table to names. Thread-safe. */
public final class RowNames {
  private final RowKey keys;
  private final UidTable uids;

  public RowNames(RowKey keys, UidTable uids) {
    this.keys = keys;
    this.uids = uids;
  }

  /**
   * The series of a row with a sound key.
   *
   * @throws NoSuchUidException if a UID in it has no name
   */
  public SeriesName series(byte[] row) {
    byte[] tsuid = keys.tsuid(row);
    Map<String, String> tags = new TreeMap<>();
    for (int i = 0; i < keys.tagCount(tsuid); i++) {
      TagPair tag = keys.tagOfTsuid(tsuid, i);
      tags.put(uids.name(UidKind.TAGK, tag.tagk()), uids.name(UidKind.TAGV, tag.tagv()));
    }
    return new SeriesName(uids.name(UidKind.METRIC, keys.metricOfTsuid(tsuid)), tags);
  }

  /**
   * The name of a row for messages, whatever its key: the series, with {@code ?hex} for UIDs
   * without a name, or empty if the key can't be that of a series.
   */
  public String text(byte[] row) {
    if (isGlobal(row)) {
      return "(global annotations)";
    }
    if (!keys.isSeriesRow(row)) {
      return "";
    }
    byte[] tsuid = keys.tsuid(row);
    Map<String, String> tags = new TreeMap<>();
    for (int i = 0; i < keys.tagCount(tsuid); i++) {
      TagPair tag = keys.tagOfTsuid(tsuid, i);
      tags.put(text(UidKind.TAGK, tag.tagk()), text(UidKind.TAGV, tag.tagv()));
    }
    return new SeriesName(text(UidKind.METRIC, keys.metricOfTsuid(tsuid)), tags).toString();
  }

  private String text(UidKind kind, byte[] uid) {
    try {
      return uids.name(kind, uid);
    } catch (NoSuchUidException e) {
      return "?" + HexFormat.of().withUpperCase().formatHex(uid);
    }
  }

  /** Whether a row contains global annotations: no metric, no tags. */
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
