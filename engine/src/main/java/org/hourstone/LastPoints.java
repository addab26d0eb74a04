package org.hourstone;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.hourstone.codec.RowKey;
import org.hourstone.codec.Timestamps;
import org.hourstone.error.RequestException;
import org.hourstone.index.SeriesLookup;
import org.hourstone.index.SeriesPattern;
import org.hourstone.internal.UidText;
import org.hourstone.meta.TsMetaTable;
import org.hourstone.query.LastPoint;
import org.hourstone.query.run.LastPointReader;
import org.hourstone.query.run.LastPointSearch;
import org.hourstone.uid.SeriesNames;
import org.hourstone.uid.UidKind;
import org.hourstone.uid.UidTable;

/**
 * The latest points of series: found by searching back from now hour by hour, or by the time of the
 * last write in the meta table ({@code tsd.core.meta.*}). Thread-safe.
 */
public final class LastPoints {
  private final LastPointReader reader;
  private final TsMetaTable meta;
  private final SeriesNames names;
  private final UidTable uids;
  private final RowKey keys;
  private final InstantSource clock;
  private final LastPointSearch search;
  private final SeriesLookup series;

  LastPoints(
      LastPointReader reader,
      LastPointSearch search,
      SeriesLookup series,
      TsMetaTable meta,
      UidTable uids,
      RowKey keys,
      InstantSource clock) {
    this.reader = reader;
    this.search = search;
    this.series = series;
    this.meta = meta;
    this.names = new SeriesNames(keys, uids);
    this.uids = uids;
    this.keys = keys;
    this.clock = clock;
  }

  /**
   * The latest point of one series.
   *
   * @param tags all of the series' tags
   * @param hours how many hours before the current one are searched
   * @throws RequestException if there are no tags
   * @throws org.hourstone.uid.NoSuchNameException if a name is unknown
   * @throws org.hourstone.codec.CorruptDataException if a row is corrupt, naming it
   */
  public Optional<LastPoint> find(String metric, Map<String, String> tags, int hours) {
    if (tags.isEmpty()) {
      throw new RequestException("Tags cannot be null or empty when getting a TSUID");
    }
    return reader.find(names.tsuid(metric, tags), clock.millis(), hours);
  }

  /**
   * The latest point of one series.
   *
   * @param tsuid in hex
   * @param hours how many hours before the current one are searched
   * @throws RequestException if it can't be a TSUID
   * @throws org.hourstone.codec.CorruptDataException if a row is corrupt, naming it
   */
  public Optional<LastPoint> find(String tsuid, int hours) {
    return reader.find(checked(tsuid), clock.millis(), hours);
  }

  /**
   * The latest points of all known series of a metric that have some tags, the series in their
   * order. The newest point is found however old it is; those of other series, if they are at most
   * {@link LastPointSearch#HOURS} hours older.
   *
   * @param tags as in a lookup of series: values may have stars, and alternatives with {@code |}
   * @throws org.hourstone.uid.NoSuchNameException if a name is unknown
   * @throws RequestException if too many rows would have to be searched
   * @throws org.hourstone.codec.CorruptDataException if a row is corrupt, naming it
   */
  public List<LastPoint> latest(String metric, Map<String, String> tags) {
    List<LastPoint> found = new ArrayList<>();
    latest(metric, tags, found::add);
    return found;
  }

  /** As {@link #latest(String, Map)}, but calls back with the points. */
  public void latest(String metric, Map<String, String> tags, Consumer<LastPoint> action) {
    search.find(known(metric, tags), clock.millis(), action);
  }

  /**
   * The latest point of one series, however old it is.
   *
   * @param tsuid in hex
   * @throws RequestException if it can't be a TSUID, or too many rows would have to be searched
   */
  public Optional<LastPoint> latest(String tsuid) {
    List<LastPoint> found = new ArrayList<>(1);
    search.find(List.of(checked(tsuid)), clock.millis(), found::add);
    return found.stream().findFirst();
  }

  /**
   * As {@link #latest(String, Map, Consumer)}, of the points in the current hour and some before
   * it.
   *
   * @param hours how many hours before the current one are searched
   */
  public void within(
      String metric, Map<String, String> tags, int hours, Consumer<LastPoint> action) {
    search.find(known(metric, tags), clock.millis(), hours, action);
  }

  /**
   * The series that the index lists. If it can't be used, those of the last hours of the metric, or
   * all that have points if none of these has the tags.
   */
  private List<byte[]> known(String metric, Map<String, String> tags) {
    List<SeriesPattern.Tag> all = new ArrayList<>();
    tags.forEach((tagk, tagv) -> all.add(new SeriesPattern.Tag(tagk, tagv)));
    SeriesPattern pattern = new SeriesPattern(metric, all);
    byte[] uid = uids.uid(UidKind.METRIC, metric);
    List<byte[]> tsuids = new ArrayList<>();
    if (series.findInIndex(pattern, tsuids::add)) {
      return tsuids;
    }
    long last = search.lastHour(uid, clock.millis());
    if (last >= 0) {
      long first = Math.max(0, last - LastPointSearch.HOURS * (long) Timestamps.ROW_SECONDS);
      series.findInHours(pattern, first, last, tsuids::add);
      if (tsuids.isEmpty()) {
        series.findInData(pattern, Long.MAX_VALUE, tsuids::add);
      }
    }
    return tsuids;
  }

  /**
   * The latest points of all series of a metric, each from the hour in which the series was last
   * written to according to the meta table. Omits series without a counter there, and series whose
   * last write was in another hour than that of their latest point.
   *
   * @param tags the series must have, possibly among others
   * @throws org.hourstone.uid.NoSuchNameException if a name is unknown
   * @throws org.hourstone.codec.CorruptDataException if a row is corrupt, naming it
   */
  public List<LastPoint> byMeta(String metric, Map<String, String> tags) {
    List<LastPoint> found = new ArrayList<>();
    byMeta(metric, tags, found::add);
    return found;
  }

  /** As {@link #byMeta(String, Map)}, but calls back with the points. */
  public void byMeta(String metric, Map<String, String> tags, Consumer<LastPoint> action) {
    byte[] uid = uids.uid(UidKind.METRIC, metric);
    meta.forEachWritten(
        uid, names.pairs(tags), (tsuid, millis) -> reader.find(tsuid, millis, 0).ifPresent(action));
  }

  /**
   * As {@link #byMeta(String, Map)}, of one series.
   *
   * @param tsuid in hex
   * @throws RequestException if it can't be a TSUID
   */
  public Optional<LastPoint> byMeta(String tsuid) {
    byte[] bytes = checked(tsuid);
    long millis = meta.lastWritten(bytes);
    return millis < 0 ? Optional.empty() : reader.find(bytes, millis, 0);
  }

  private byte[] checked(String tsuid) {
    if (tsuid.isEmpty()) {
      throw new RequestException("UID was empty");
    }
    byte[] bytes = UidText.parse(tsuid);
    if (!keys.isTsuid(bytes)) {
      throw new RequestException("not a TSUID: '" + tsuid + "'");
    }
    return bytes;
  }
}
