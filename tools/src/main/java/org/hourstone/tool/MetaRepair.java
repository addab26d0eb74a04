package org.hourstone.tool;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import java.util.EnumMap;
import java.util.Map;
import org.hourstone.codec.CorruptDataException;
import org.hourstone.codec.RowKey;
import org.hourstone.internal.UidText;
import org.hourstone.kv.Bytes;
import org.hourstone.meta.Metadata;
import org.hourstone.meta.SeriesMeta;
import org.hourstone.meta.TsMeta;
import org.hourstone.meta.UidMeta;
import org.hourstone.uid.SeriesNames;
import org.hourstone.uid.UidKind;
import org.hourstone.uid.UidTable;

/**
 * Ensures that series and names have metadata with a creation time not after their points. Caches
 * up to {@link #REMEMBERED} checked series and UIDs; others are looked up again.
 */
final class MetaRepair {
  /** Each takes about 200 bytes. */
  private static final int REMEMBERED = 500_000;

  /** The first point of an hour may be at its end. */
  private static final int HOUR = 3600;

  private final RowKey keys;
  private final UidTable uids;
  private final Metadata metadata;

  /** Creation times, by TSUID and by UID. */
  private final Cache<Bytes, Long> seenSeries = cache();

  private final Map<UidKind, Cache<Bytes, Long>> seenNames = new EnumMap<>(UidKind.class);
  private long names;
  private long series;
  private long counters;
  private long dated;
  private long replaced;

  MetaRepair(RowKey keys, UidTable uids, Metadata metadata) {
    this.keys = keys;
    this.uids = uids;
    this.metadata = metadata;
    for (UidKind kind : UidKind.values()) {
      seenNames.put(kind, cache());
    }
  }

  private static Cache<Bytes, Long> cache() {
    return CacheBuilder.newBuilder().maximumSize(REMEMBERED).build();
  }

  /** Whether the metadata of a series with points in this hour is known to be complete. */
  boolean isDone(byte[] tsuid, long hour) {
    Long created = seenSeries.getIfPresent(new Bytes(tsuid));
    return created != null && !isAfter(created, hour);
  }

  /**
   * Checks the metadata of a series that has points in this hour.
   *
   * @throws org.hourstone.uid.NoSuchUidException if one of its UIDs has no name
   * @throws CorruptDataException if its counter is corrupt
   */
  void see(byte[] tsuid, long hour) {
    seenSeries.put(new Bytes(tsuid), hour); // also for a series that turns out to be unusable
    SeriesNames.forEachUid(keys, tsuid, (kind, uid) -> seeName(kind, uid, hour));
    seeSeries(tsuid, hour);
    seeCounter(tsuid);
  }

  private void seeName(UidKind kind, byte[] uid, long hour) {
    Cache<Bytes, Long> seen = seenNames.get(kind);
    if (seen == null) {
      throw new AssertionError(kind);
    }
    Bytes key = new Bytes(uid);
    Long known = seen.getIfPresent(key);
    if (known != null && !isAfter(known, hour)) {
      return;
    }
    uids.name(kind, uid);
    UidMeta found;
    try {
      found = metadata.names().find(kind, uid);
    } catch (CorruptDataException e) {
      metadata.names().replaceCorrupt(kind, uid, hour);
      replaced++;
      names++;
      seen.put(key, hour);
      return;
    }
    if (found == null) {
      if (metadata.names().create(kind, uid, hour)) {
        names++;
      }
      seen.put(key, hour);
    } else if (isAfter(found.created(), hour)) {
      metadata.names().save(uid, UidMeta.of(kind, hour), false);
      dated++;
      seen.put(key, hour);
    } else {
      seen.put(key, found.created());
    }
  }

  private void seeSeries(byte[] tsuid, long hour) {
    TsMeta right = TsMeta.of(UidText.format(tsuid), hour);
    SeriesMeta found;
    try {
      found = metadata.series().find(tsuid);
    } catch (CorruptDataException e) {
      metadata.series().replaceCorrupt(tsuid, right);
      replaced++;
      series++;
      return;
    }
    if (found == null) {
      if (metadata.series().create(tsuid, right)) {
        series++;
      }
    } else if (isAfter(found.meta().created(), hour)) {
      metadata.series().save(tsuid, right, false);
      dated++;
    } else {
      seenSeries.put(new Bytes(tsuid), found.meta().created());
    }
  }

  private void seeCounter(byte[] tsuid) {
    if (!metadata.series().hasCounter(tsuid) && metadata.series().createCounter(tsuid)) {
      counters++;
    }
  }

  /** Whether a creation time is unknown or after an hour that has points. */
  private static boolean isAfter(long created, long hour) {
    return created == 0 || created > hour + HOUR;
  }

  MetaSyncReport report(long rows, long skipped) {
    return new MetaSyncReport(rows, names, series, counters, dated, replaced, skipped);
  }
}
