package org.hourstone.index;

import com.google.common.collect.Lists;
import java.lang.System.Logger.Level;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.hourstone.codec.RowKey;
import org.hourstone.index.IndexTable.Entry;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.RowFilter;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * The maximum numbers of series, in total and of each metric.
 *
 * <p>A series counts from its admission on, before its entry is in the index: the counts are the
 * number of entries and of reservations without an entry. So a limit is never exceeded by the
 * series that this process creates, however many threads do. A series that is not known to have an
 * entry is reserved as if it had none, since entries are read in groups, right before they are put;
 * before a series is refused, the entries of all reservations are read. A reservation whose value
 * was not written is given up after {@link #KEPT_MILLIS}.
 *
 * <p>Entries are counted when that is first needed. Of other processes' series each count learns
 * after {@link #KEPT_MILLIS}, when it is taken again. Thread-safe.
 */
public final class SeriesLimit {
  private static final System.Logger LOG = System.getLogger("org.hourstone.index");

  /** How long a reservation is kept, and the counts of a store that other processes write to. */
  static final long KEPT_MILLIS = 600_000;

  /** The number of metrics whose counts are kept. */
  private static final int METRICS = 10_000;

  /** How many entries are read in a call. */
  private static final int READ_TOGETHER = 1000;

  /** From this number on, reservations that are of no use are given up regularly. */
  private static final int MANY_RESERVED = 10_000;

  private static final long SETTLED_EVERY = 60_000;

  /** About how much memory a reservation takes. */
  private static final int RESERVATION_BYTES = 160;

  /** As often they are read if there are as many as there may be, or once this part is unread. */
  private static final long FULL_SETTLED_EVERY = 1000;

  private static final int UNREAD_PART = 16;

  private final long total;
  private final MetricLimits perMetric;
  private final RowKey keys;
  private final IndexTable table;
  private final Completeness completeness;
  private final Runnable prepare;
  private final KnownSeries known;
  private final InstantSource clock;
  private final boolean shared;
  private final long mostReserved;

  // Guarded by this.

  private final Map<Bytes, Reservation> reserved = new HashMap<>();
  private final Map<Bytes, Count> ofMetric =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Bytes, Count> eldest) {
          return size() > METRICS;
        }
      };
  private @Nullable Count ofAll;
  private boolean isWarned;
  private long settledAt;

  /** How many reservations were made since. */
  private long unread;

  private static final class Count {
    final long takenAt;
    long series;

    Count(long takenAt, long series) {
      this.takenAt = takenAt;
      this.series = series;
    }
  }

  private static final class Reservation {
    final long at;

    /** Whether it had no entry when that was read. */
    boolean isNew;

    Reservation(long at, boolean isNew) {
      this.at = at;
      this.isNew = isNew;
    }
  }

  /**
   * @param total the maximum of all series; {@link Long#MAX_VALUE} for no limit
   * @param prepare marks the index of a new database complete
   * @param shared whether other processes may create series
   * @param mostBytes of memory for reservations; beyond it new series are refused, as NOT_APPLIED
   */
  SeriesLimit(
      long total,
      MetricLimits perMetric,
      RowKey keys,
      IndexTable table,
      Completeness completeness,
      Runnable prepare,
      KnownSeries known,
      InstantSource clock,
      boolean shared,
      long mostBytes) {
    this.total = total;
    this.perMetric = perMetric;
    this.keys = keys;
    this.table = table;
    this.completeness = completeness;
    this.prepare = prepare;
    this.known = known;
    this.clock = clock;
    this.shared = shared;
    this.mostReserved = Math.max(1, mostBytes / RESERVATION_BYTES);
  }

  /** Whether there is a limit. */
  public boolean isOn() {
    return total < Long.MAX_VALUE || !perMetric.isEmpty();
  }

  /**
   * Called before a row gets its first value; other rows than those of series are ignored. As
   * {@link #admit}.
   */
  public void admitRow(byte[] row, Function<byte[], String> nameOf) {
    if (isOn() && keys.isSeriesRow(row)) {
      admit(keys.tsuid(row), nameOf);
    }
  }

  /**
   * Reserves a place for a series, unless it has one.
   *
   * @param nameOf the name of a metric
   * @throws SeriesLimitException if it is a new series, and there are as many as there may be
   * @throws StoreException NOT_APPLIED if that can't be read
   */
  public void admit(byte[] tsuid, Function<byte[], String> nameOf) {
    if (!known.contains(tsuid)) {
      reserve(tsuid, nameOf);
    }
  }

  private synchronized void reserve(byte[] tsuid, Function<byte[], String> nameOf) {
    Bytes series = new Bytes(tsuid);
    if (reserved.containsKey(series)) {
      return;
    }
    try {
      byte[] metric = keys.metricOfTsuid(tsuid);
      String name = perMetric.isEmpty() ? "" : nameOf.apply(metric);
      if (room(name, metric) > 0) {
        limitReservations();
        count(metric, 1);
        reserved.put(series, new Reservation(clock.millis(), false));
        unread++;
      } else if (table.entries(List.of(tsuid)).get(0) == Entry.ABSENT && applies()) {
        throw refusal(nameOf.apply(metric), metric);
      }
    } catch (StoreException e) {
      throw new StoreException(Outcome.NOT_APPLIED, "limit of series: " + e.getMessage(), e);
    }
  }

  /** Points that are refused leave reservations: while the store fails, those of all new series. */
  private void limitReservations() {
    long since = clock.millis() - settledAt;
    boolean isDue =
        reserved.size() >= mostReserved
            ? unread > mostReserved / UNREAD_PART || since >= FULL_SETTLED_EVERY
            : reserved.size() >= MANY_RESERVED && since >= SETTLED_EVERY;
    if (isDue) {
      var unused = settle();
    }
    if (reserved.size() >= mostReserved) {
      throw new StoreException(
          Outcome.NOT_APPLIED, reserved.size() + " series wait to be written for the first time");
    }
  }

  /**
   * Called before names of a new series get UIDs, if there was no room for it.
   *
   * @param metric null if its name has no UID
   * @throws SeriesLimitException if there still is no room
   */
  public synchronized void admitNames(String name, byte @Nullable [] metric) {
    if (room(name, metric) == 0 && applies()) {
      throw refusal(name, metric);
    }
  }

  /** An index that lacks series can't tell which ones are new. */
  private boolean applies() {
    prepare.run();
    boolean applies = completeness.complete() != null;
    if (!applies && !isWarned) {
      LOG.log(
          Level.WARNING,
          "the number of series is not limited, since the series index is not complete (hourstone"
              + " index rebuild)");
    }
    isWarned = !applies;
    return applies;
  }

  private SeriesLimitException refusal(String name, byte @Nullable [] metric) {
    long most = perMetric.of(name);
    boolean isOfMetric = metric != null && most < Long.MAX_VALUE && count(metric) >= most;
    return new SeriesLimitException(
        "a new series of metric "
            + name
            + " is refused: "
            + (isOfMetric
                ? "the metric has "
                    + most
                    + " series or more (hourstone.index.max_series_per_metric"
                : "there are " + total + " series or more (hourstone.index.max_series")
            + ")");
  }

  /**
   * The number of series of a metric that may be created now.
   *
   * @param metric null if its name has no UID
   */
  public synchronized long room(String name, byte @Nullable [] metric) {
    long room = roomNow(name, metric);
    if (room <= 0 && settle()) {
      room = roomNow(name, metric);
    }
    return Math.max(0, room);
  }

  private long roomNow(String name, byte @Nullable [] metric) {
    long room = room();
    long most = room > 0 ? perMetric.of(name) : Long.MAX_VALUE;
    return most == Long.MAX_VALUE
        ? room
        : Math.min(room, most - (metric == null ? 0 : count(metric)));
  }

  /** As {@link #room}, of all metrics. */
  public synchronized long room() {
    if (total == Long.MAX_VALUE) {
      return total;
    }
    if (ofAll == null || isOld(ofAll)) {
      ofAll = counted(null);
    }
    return total - ofAll.series;
  }

  private long count(byte[] metric) {
    Bytes key = new Bytes(metric);
    Count count = ofMetric.get(key);
    if (count == null || isOld(count)) {
      count = counted(metric);
      ofMetric.put(key, count);
    }
    return count.series;
  }

  private boolean isOld(Count count) {
    long age = clock.millis() - count.takenAt;
    return shared && (age < 0 || age > KEPT_MILLIS);
  }

  /** Counts entries and reservations without one; of a metric, if it is given. */
  private Count counted(byte @Nullable [] metric) {
    var unused = settle(); // now each reservation counts, whether or not its entry was put since
    long[] series = {0};
    long now = clock.millis();
    table.forEachEntry(
        metric == null ? new byte[0] : metric,
        RowFilter.any(),
        (tsuid, enteredAt) -> {
          series[0] += reserved.containsKey(new Bytes(tsuid)) ? 0 : 1;
          return true;
        });
    for (Bytes each : reserved.keySet()) {
      series[0] +=
          metric == null || Arrays.equals(keys.metricOfTsuid(each.array()), metric) ? 1 : 0;
    }
    return new Count(now, series[0]);
  }

  /** Adds to the counts that were taken. */
  private void count(byte[] metric, int more) {
    if (ofAll != null) {
      ofAll.series += more;
    }
    Count count = ofMetric.get(new Bytes(metric));
    if (count != null) {
      count.series += more;
    }
  }

  /**
   * Reads which reservations have entries, and gives old ones up.
   *
   * @return whether there is room for more series now
   */
  private boolean settle() {
    settledAt = clock.millis();
    unread = 0;
    long before = clock.millis() - KEPT_MILLIS;
    List<Map.Entry<Bytes, Reservation>> open =
        reserved.entrySet().stream()
            .filter(each -> !each.getValue().isNew || each.getValue().at < before)
            .map(each -> Map.entry(each.getKey(), each.getValue()))
            .toList();
    if (open.isEmpty()) {
      return false;
    }
    int had = reserved.size();
    for (List<Map.Entry<Bytes, Reservation>> part : Lists.partition(open, READ_TOGETHER)) {
      List<Entry> entries =
          table.entries(part.stream().map(each -> each.getKey().array()).toList());
      for (int i = 0; i < part.size(); i++) {
        settle(part.get(i).getKey().array(), part.get(i).getValue(), entries.get(i), before);
      }
    }
    return reserved.size() < had;
  }

  private void settle(byte[] tsuid, Reservation reservation, Entry entry, long before) {
    if (entry != Entry.ABSENT) {
      release(tsuid, !reservation.isNew);
    } else if (reservation.at < before) {
      release(tsuid, true);
    } else {
      reservation.isNew = true;
    }
  }

  private void release(byte[] tsuid, boolean uncount) {
    if (reserved.remove(new Bytes(tsuid)) != null && uncount) {
      count(keys.metricOfTsuid(tsuid), -1);
    }
  }

  /** Called with the entries of series that were read, before absent ones are put. */
  synchronized void found(List<byte[]> tsuids, List<Entry> entries) {
    for (int i = 0; i < entries.size(); i++) {
      byte[] tsuid = tsuids.get(i);
      Reservation reservation = reserved.get(new Bytes(tsuid));
      if (entries.get(i) != Entry.ABSENT) {
        if (reservation != null) {
          release(tsuid, !reservation.isNew);
        }
      } else if (reservation != null) {
        // From now on, as it must not be given up while the entry is put.
        reserved.put(new Bytes(tsuid), new Reservation(clock.millis(), true));
      } else if (!known.contains(tsuid)) { // not admitted, such as by a rebuild of the index
        count(keys.metricOfTsuid(tsuid), 1);
        reserved.put(new Bytes(tsuid), new Reservation(clock.millis(), true));
      }
    }
  }

  /** Called after the entries of series were put, and the series are known. */
  synchronized void entered(List<byte[]> tsuids) {
    tsuids.forEach(tsuid -> reserved.remove(new Bytes(tsuid)));
  }

  /** Called after the entry of a series was removed. */
  synchronized void removed(byte[] tsuid) {
    count(keys.metricOfTsuid(tsuid), -1);
  }
}
