package org.hourstone.query;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.hourstone.codec.CorruptDataException;
import org.hourstone.codec.RowDecoder;
import org.hourstone.codec.RowKey;
import org.hourstone.codec.RowPoints;
import org.hourstone.codec.TagPair;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueReader;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.Scan;
import org.hourstone.uid.UidKind;
import org.hourstone.uid.UidTable;

/**
 * Reads the rows of a plan and hands the points of each to its series' stage. Rows of a metric come
 * hour by hour, all series of the hour, so each series' rows come in the order of time. Used once,
 * by one thread.
 */
final class RowReader {
  private final KeyValueReader store;
  private final Family family;
  private final RowKey keys;
  private final UidTable uids;
  private final QueryOptions options;
  private final RowListener listener;
  private final Query query;
  private final Plan plan;
  private final RowDecoder decoder;
  private final RowPoints points = new RowPoints();
  private final Map<Bytes, SeriesStage> stages = new HashMap<>();
  private final Set<Bytes> refused = new HashSet<>();
  private long pointsRead;

  RowReader(
      KeyValueReader store,
      Family family,
      RowKey keys,
      UidTable uids,
      QueryOptions options,
      RowListener listener,
      Query query,
      Plan plan) {
    this.store = store;
    this.family = family;
    this.keys = keys;
    this.uids = uids;
    this.options = options;
    this.listener = listener;
    this.query = query;
    this.plan = plan;
    this.decoder = new RowDecoder(options.duplicates(), options.cellsAsTheyStand());
  }

  List<FoundSeries> read() {
    for (Scan scan : plan.scans()) {
      try (RowCursor rows = store.scan(family, scan)) {
        for (Row row = rows.next(); row != null; row = rows.next()) {
          read(row);
        }
      }
    }
    List<FoundSeries> found = new ArrayList<>(stages.size());
    stages.forEach(
        (tsuid, stage) ->
            found.add(new FoundSeries(order(tsuid.array()), tsuid.array(), stage.finish())));
    found.sort((one, other) -> Arrays.compareUnsigned(one.order(), other.order()));
    return found;
  }

  private byte[] order(byte[] tsuid) {
    return options.seriesBySalt() ? keys.rowKey(tsuid, 0) : tsuid;
  }

  private void read(Row row) {
    if (!keys.isSeriesRow(row.key())) {
      throw new CorruptDataException(
          "row " + hex(row.key()) + " of " + family + " is not a series' row: odd length");
    }
    Bytes tsuid = new Bytes(keys.tsuid(row.key()));
    if (refused.contains(tsuid)) {
      return;
    }
    SeriesStage stage = stages.get(tsuid);
    if (stage == null && !passes(plan, keys, uids, tsuid.array())) {
      refused.add(tsuid);
      return;
    }
    decode(row);
    if (points.size() == 0) {
      return; // nothing but annotations and the like
    }
    if (stage == null) {
      stage = SeriesStage.of(query);
      stages.put(tsuid, stage);
    }
    stage.accept(keys.baseTime(row.key()) * 1000, points);
  }

  private void decode(Row row) {
    try {
      decoder.start();
      for (int i = 0; i < row.size(); i++) {
        decoder.add(row.qualifier(i), row.value(i), row.writeTime(i));
      }
      decoder.finish(points);
      // Told first: OpenTSDB rewrites a row before it finds that a value has no length of numbers.
      listener.read(row);
      decoder.checkLengths(points);
    } catch (CorruptDataException e) {
      throw new CorruptDataException(
          "row " + hex(row.key()) + " of " + family + ": " + e.getMessage(), e);
    }
    pointsRead += points.size();
    if (options.maxPoints() != QueryOptions.UNLIMITED && pointsRead > options.maxPoints()) {
      throw new QueryLimitException(
          "the query reads more than "
              + options.maxPoints()
              + " data points (tsd.query.limits.data_points.default): narrow its range or filters");
    }
  }

  /** Whether a series passes the filters that must be looked at by name. */
  static boolean passes(Plan plan, RowKey keys, UidTable uids, byte[] tsuid) {
    for (TagFilter filter : plan.filters()) {
      byte[] tagk = uids.uid(UidKind.TAGK, filter.tagk());
      for (int i = 0; i < keys.tagCount(tsuid); i++) {
        TagPair tag = keys.tagOfTsuid(tsuid, i);
        if (Arrays.equals(tag.tagk(), tagk)
            && !filter.matches(uids.name(UidKind.TAGV, tag.tagv()))) {
          return false;
        }
      }
    }
    return true;
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }
}
