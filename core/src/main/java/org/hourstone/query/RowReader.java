package org.hourstone.query;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
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
 * hour by hour, all series of the hour, so each series' rows come in the order of time. Salt
 * buckets are merged to that order, so that a series whose rows are in several, as after their
 * number was changed, is one; in strict mode it is as many as buckets, as in OpenTSDB. Used once,
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
  private final DamageLog damage;
  private final RowDecoder decoder;
  private final RowPoints points = new RowPoints();

  /** By what series are told apart and put in order by, see {@link #order}. */
  private final Map<Bytes, SeriesStage> stages = new HashMap<>();

  private final Set<Bytes> refused = new HashSet<>();

  /** The rows that make up the hour in hand: one, or one of each of some buckets. */
  private final List<Row> hour = new ArrayList<>(1);

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
    this.damage = new DamageLog(family, options.skipDamage());
    this.decoder = new RowDecoder(options.duplicates(), options.cellsAsTheyStand());
  }

  List<FoundSeries> read() {
    if (plan.scans().size() > 1 && !options.seriesBySalt()) {
      try (RowCursor rows =
          new MergedRows(store, family, plan.scans(), keys.schema().saltWidth())) {
        readHours(rows);
      }
    } else {
      for (Scan scan : plan.scans()) {
        try (RowCursor rows = store.scan(family, scan)) {
          readHours(rows);
        }
      }
    }
    List<FoundSeries> found = new ArrayList<>(stages.size());
    stages.forEach(
        (order, stage) ->
            found.add(new FoundSeries(order.array(), tsuid(order.array()), stage.finish())));
    found.sort((one, other) -> Arrays.compareUnsigned(one.order(), other.order()));
    return found;
  }

  /** What was passed over, once all is read. */
  Damage damage() {
    return damage.all();
  }

  /** The key that tells series apart: the TSUID, or in strict mode a row key without its hour. */
  private byte[] order(byte[] row) {
    if (!options.seriesBySalt()) {
      return keys.tsuid(row);
    }
    byte[] order = row.clone();
    keys.setBaseTime(order, 0);
    return order;
  }

  private byte[] tsuid(byte[] order) {
    return options.seriesBySalt() ? keys.tsuid(order) : order;
  }

  private void readHours(RowCursor rows) {
    for (Row row = rows.next(); row != null; row = rows.next()) {
      if (isSound(row.key())) {
        if (!hour.isEmpty() && !isOfHourInHand(row.key())) {
          readHour();
        }
        hour.add(row);
      }
    }
    if (!hour.isEmpty()) {
      readHour();
    }
  }

  private boolean isSound(byte[] row) {
    if (!keys.isSeriesRow(row)) {
      damage.row(row, " is not a series' row: odd length");
      return false;
    }
    if (!keys.isOfMetric(row, plan.metric())) {
      damage.row(row, " is not of the metric that was asked for");
      return false;
    }
    return true;
  }

  private boolean isOfHourInHand(byte[] row) {
    return MergedRows.compare(hour.get(0).key(), row, keys.schema().saltWidth()) == 0;
  }

  private void readHour() {
    byte[] row = hour.get(0).key();
    Bytes order = new Bytes(order(row));
    SeriesStage stage = stages.get(order);
    if (stage != null || isWanted(order)) {
      decode();
      if (points.size() > 0) { // else nothing but annotations and the like
        if (stage == null) {
          stage = SeriesStage.of(query);
          stages.put(order, stage);
        }
        stage.accept(keys.baseTime(row) * 1000, points);
      }
    }
    hour.clear();
  }

  private boolean isWanted(Bytes order) {
    if (refused.contains(order)) {
      return false;
    }
    if (passes(plan, keys, uids, tsuid(order.array()))) {
      return true;
    }
    refused.add(order);
    return false;
  }

  private void decode() {
    decoder.start();
    for (Row row : hour) {
      for (int i = 0; i < row.size(); i++) {
        try {
          decoder.add(row.qualifier(i), row.value(i), row.writeTime(i));
        } catch (CorruptDataException e) {
          damage.cell(row.key(), row.qualifier(i), e);
        }
      }
    }
    try {
      decoder.finish(points);
      // Told first: OpenTSDB rewrites a row before it finds that a value has no length of numbers.
      hour.forEach(listener::read);
      decoder.checkLengths(points);
    } catch (CorruptDataException e) {
      throw damage.failure(hour.get(0).key(), e);
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
}
