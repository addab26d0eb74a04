package org.hourstone.uid;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import org.hourstone.codec.RowKey;
import org.hourstone.codec.TagPair;
import org.hourstone.internal.UidText;

/** Translates the TSUIDs of series to names and back. Thread-safe. */
public final class SeriesNames {
  private final RowKey keys;
  private final UidTable uids;

  public SeriesNames(RowKey keys, UidTable uids) {
    this.keys = keys;
    this.uids = uids;
  }

  /**
   * The names of a series.
   *
   * @throws NoSuchUidException if one of its UIDs has no name
   */
  public SeriesName of(byte[] tsuid) {
    return of(tsuid, uids::name);
  }

  /** The names of a series for messages: with {@code ?hex} for UIDs without a name. */
  public SeriesName text(byte[] tsuid) {
    return of(tsuid, this::text);
  }

  private String text(UidKind kind, byte[] uid) {
    try {
      return uids.name(kind, uid);
    } catch (NoSuchUidException e) {
      return "?" + UidText.format(uid);
    }
  }

  private SeriesName of(byte[] tsuid, BiFunction<UidKind, byte[], String> name) {
    String metric = name.apply(UidKind.METRIC, keys.metricOfTsuid(tsuid));
    Map<String, String> tags = new LinkedHashMap<>();
    for (TagPair tag : keys.tagsOfTsuid(tsuid)) {
      tags.put(name.apply(UidKind.TAGK, tag.tagk()), name.apply(UidKind.TAGV, tag.tagv()));
    }
    return new SeriesName(metric, Collections.unmodifiableMap(tags));
  }

  /**
   * The TSUID of a series.
   *
   * @throws NoSuchNameException if a name is unknown
   */
  public byte[] tsuid(String metric, Map<String, String> tags) {
    List<TagPair> pairs = pairs(tags);
    return keys.tsuid(uids.uid(UidKind.METRIC, metric), pairs);
  }

  /**
   * The UIDs of some tags.
   *
   * @throws NoSuchNameException if a name is unknown
   */
  public List<TagPair> pairs(Map<String, String> tags) {
    List<TagPair> pairs = new ArrayList<>(tags.size());
    tags.forEach(
        (tagk, tagv) ->
            pairs.add(new TagPair(uids.uid(UidKind.TAGK, tagk), uids.uid(UidKind.TAGV, tagv))));
    return pairs;
  }

  /** Passes each UID of a series to the consumer: the metric's, then those of each tag. */
  public static void forEachUid(RowKey keys, byte[] tsuid, BiConsumer<UidKind, byte[]> each) {
    each.accept(UidKind.METRIC, keys.metricOfTsuid(tsuid));
    for (TagPair tag : keys.tagsOfTsuid(tsuid)) {
      each.accept(UidKind.TAGK, tag.tagk());
      each.accept(UidKind.TAGV, tag.tagv());
    }
  }
}
