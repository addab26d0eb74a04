package org.hourstone;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hourstone.codec.RowKey;
import org.hourstone.codec.TagPair;
import org.hourstone.codec.UidText;
import org.hourstone.meta.TsMetaTable;
import org.hourstone.query.LastPoint;
import org.hourstone.query.LastPointReader;
import org.hourstone.uid.UidKind;
import org.hourstone.uid.UidTable;

/**
 * The latest points of series: by looking back from now hour by hour, or by what the meta table
 * says of when a series was written to ({@code tsd.core.meta.*}). Thread-safe.
 */
public final class LastPoints {
  private final LastPointReader reader;
  private final TsMetaTable meta;
  private final UidTable uids;
  private final RowKey keys;
  private final InstantSource clock;

  LastPoints(
      LastPointReader reader, TsMetaTable meta, UidTable uids, RowKey keys, InstantSource clock) {
    this.reader = reader;
    this.meta = meta;
    this.uids = uids;
    this.keys = keys;
    this.clock = clock;
  }

  /**
   * The latest point of one series.
   *
   * @param tags all of the series' tags
   * @param hours how many hours before this one are looked at
   * @throws IllegalArgumentException if there are no tags
   * @throws org.hourstone.uid.NoSuchNameException if a name is unknown
   * @throws org.hourstone.codec.CorruptDataException if a row is damaged, naming it
   */
  public Optional<LastPoint> find(String metric, Map<String, String> tags, int hours) {
    if (tags.isEmpty()) {
      throw new IllegalArgumentException("Tags cannot be null or empty when getting a TSUID");
    }
    List<TagPair> pairs = pairs(tags);
    return reader.find(keys.tsuid(uids.uid(UidKind.METRIC, metric), pairs), clock.millis(), hours);
  }

  /**
   * The latest point of one series.
   *
   * @param tsuid in hex
   * @param hours how many hours before this one are looked at
   * @throws IllegalArgumentException if it can't be a TSUID
   * @throws org.hourstone.codec.CorruptDataException if a row is damaged, naming it
   */
  public Optional<LastPoint> find(String tsuid, int hours) {
    return reader.find(checked(tsuid), clock.millis(), hours);
  }

  /**
   * The points of all series of a metric, each of the hour in which the meta table says that its
   * series was written to last: none of series that it doesn't count, or that were written in
   * another hour than that of their point.
   *
   * @param tags which the series have, maybe among others
   * @throws org.hourstone.uid.NoSuchNameException if a name is unknown
   * @throws org.hourstone.codec.CorruptDataException if a row is damaged, naming it
   */
  public List<LastPoint> byMeta(String metric, Map<String, String> tags) {
    byte[] uid = uids.uid(UidKind.METRIC, metric);
    List<LastPoint> found = new ArrayList<>();
    meta.forEachWritten(
        uid, pairs(tags), (tsuid, millis) -> reader.find(tsuid, millis, 0).ifPresent(found::add));
    return found;
  }

  /**
   * As {@link #byMeta(String, Map)}, of one series.
   *
   * @param tsuid in hex
   * @throws IllegalArgumentException if it can't be a TSUID
   */
  public Optional<LastPoint> byMeta(String tsuid) {
    byte[] bytes = checked(tsuid);
    long millis = meta.lastWritten(bytes);
    return millis < 0 ? Optional.empty() : reader.find(bytes, millis, 0);
  }

  private byte[] checked(String tsuid) {
    byte[] bytes = UidText.parse(tsuid);
    if (!keys.isTsuid(bytes)) {
      throw new IllegalArgumentException("not a TSUID: '" + tsuid + "'");
    }
    return bytes;
  }

  private List<TagPair> pairs(Map<String, String> tags) {
    List<TagPair> pairs = new ArrayList<>();
    tags.forEach(
        (tagk, tagv) ->
            pairs.add(new TagPair(uids.uid(UidKind.TAGK, tagk), uids.uid(UidKind.TAGV, tagv))));
    return pairs;
  }
}
