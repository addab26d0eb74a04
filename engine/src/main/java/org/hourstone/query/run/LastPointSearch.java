package org.hourstone.query.run;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.hourstone.codec.RowKey;
import org.hourstone.codec.Timestamps;
import org.hourstone.error.RequestException;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueReader;
import org.hourstone.query.LastPoint;
import org.hourstone.query.rows.MetricRows;
import org.hourstone.query.rows.ScanRange;

/**
 * Searches the latest points of some series of a metric, from now back. The newest of them is found
 * however old it is; the latest point of each other series, if it is not more than {@link #HOURS}
 * hours older: a metric may have many series that ended long ago. Hours without rows of the metric
 * are skipped. Thread-safe.
 */
public final class LastPointSearch {
  /** How much older than the newest point those of other series may be. */
  public static final int HOURS = 24;

  /** About how many rows are requested at once. */
  private static final int ROWS_AT_ONCE = 1024;

  /** By how much the number of hours grows from one request to the next, if rows permit. */
  private static final int GROWTH = 4;

  /** In place of a number of hours. */
  private static final int ANY = -1;

  private static final long HOUR = Timestamps.ROW_SECONDS;

  private final LastPointReader reader;
  private final KeyValueReader store;
  private final Family points;
  private final RowKey keys;
  private final long mostRows;

  /**
   * @param points the family of the data table
   * @param mostRows the maximum number of rows to look for, one for each hour and series; 0 for no
   *     limit
   */
  public LastPointSearch(
      LastPointReader reader, KeyValueReader store, Family points, RowKey keys, long mostRows) {
    this.reader = reader;
    this.store = store;
    this.points = points;
    this.keys = keys;
    this.mostRows = mostRows == 0 ? Long.MAX_VALUE : mostRows;
  }

  /**
   * Finds the latest points of series of one metric.
   *
   * @param millis now; later hours are not searched
   * @param action receives the points, in the order of the series
   * @throws RequestException if there are too many series, or no point was found in as many rows as
   *     are searched
   */
  public void find(List<byte[]> tsuids, long millis, Consumer<LastPoint> action) {
    find(tsuids, millis, ANY, action);
  }

  /**
   * Finds the latest points of series of one metric within some hours.
   *
   * @param millis in the latest hour
   * @param hours how many hours before that one
   * @param action receives the points, in the order of the series
   * @throws RequestException if that is too many rows
   */
  public void find(List<byte[]> tsuids, long millis, int hours, Consumer<LastPoint> action) {
    if (tsuids.isEmpty()) {
      return;
    }
    if (tsuids.size() * Math.max(1, hours + 1L) > mostRows) {
      throw new RequestException(
          tsuids.size()
              + " series "
              + (hours == ANY ? "" : "with " + hours + " hours back ")
              + "need more than "
              + mostRows
              + " rows (hourstone.last.max_rows): give more tags");
    }
    new Run(tsuids, Timestamps.baseTime(millis / 1000), hours).find().forEach(action);
  }

  /**
   * The last hour that has a row of a metric, whatever its series; -1 if none has.
   *
   * @param metric its UID
   * @param millis in the latest hour to search
   */
  public long lastHour(byte[] metric, long millis) {
    return lastHour(
        new MetricRows(store, points, keys, metric), Timestamps.baseTime(millis / 1000));
  }

  private static long lastHour(MetricRows metric, long until) {
    long none = until + HOUR;
    long last = metric.firstHour(new ScanRange(0, none));
    if (last >= none) {
      return -1;
    }
    while (none - last > HOUR) {
      long middle = last + (none - last) / 2 / HOUR * HOUR;
      long next = metric.firstHour(new ScanRange(middle, none));
      if (next < none) {
        last = next;
      } else {
        none = middle;
      }
    }
    return last;
  }

  /** One search; for one thread. */
  private final class Run {
    private final List<byte[]> tsuids;
    private final LastPoint[] found;
    private final MetricRows metric;
    private final long latest;

    /** The last hour to search, once it is known. */
    private long floor;

    private List<Integer> missing = new ArrayList<>();
    private boolean isNewestKnown;
    private long rows;

    Run(List<byte[]> tsuids, long latest, int hours) {
      this.tsuids = tsuids;
      this.latest = latest;
      this.isNewestKnown = hours != ANY;
      this.floor = hours == ANY ? 0 : Math.max(0, latest - hours * HOUR);
      this.found = new LastPoint[tsuids.size()];
      this.metric = new MetricRows(store, points, keys, keys.metricOfTsuid(tsuids.get(0)));
      for (int i = 0; i < found.length; i++) {
        missing.add(i);
      }
    }

    List<LastPoint> find() {
      long hour = latest;
      long most = 1; // most series have a point in the first hour
      while (hour >= floor && !missing.isEmpty()) {
        long hours = Math.min(Math.min(most, atOnce()), (hour - floor) / HOUR + 1);
        hours = Math.min(hours, (mostRows - rows) / missing.size());
        if (hours == 0) {
          if (!isNewestKnown) {
            throw gaveUp(hour);
          }
          break;
        }
        boolean any = read(hour, (int) hours);
        hour -= hours * HOUR;
        most *= GROWTH;
        if (!any && !isNewestKnown && hour >= 0) {
          long last = lastHour(metric, hour);
          most = last < hour ? 1 : most;
          hour = last;
        }
      }
      List<LastPoint> points = new ArrayList<>(found.length);
      for (LastPoint point : found) {
        if (point != null) {
          points.add(point);
        }
      }
      return points;
    }

    private long atOnce() {
      return Math.max(1, ROWS_AT_ONCE / (missing.size() * (long) reader.rowsOfHour()));
    }

    /** Reads the series without a point so far; returns whether one has one. */
    private boolean read(long hour, int hours) {
      List<Integer> still = new ArrayList<>();
      long newest = -1;
      int atOnce = Math.max(1, ROWS_AT_ONCE / (hours * reader.rowsOfHour()));
      for (int from = 0; from < missing.size(); from += atOnce) {
        List<Integer> part = missing.subList(from, Math.min(missing.size(), from + atOnce));
        List<Optional<LastPoint>> last =
            reader.find(part.stream().map(tsuids::get).toList(), hour, hours);
        for (int i = 0; i < part.size(); i++) {
          if (last.get(i).isPresent()) {
            found[part.get(i)] = last.get(i).get();
            newest = Math.max(newest, Timestamps.baseTime(last.get(i).get().millis() / 1000));
          } else {
            still.add(part.get(i));
          }
        }
      }
      rows += (long) missing.size() * hours;
      missing = still;
      if (newest >= 0 && !isNewestKnown) {
        isNewestKnown = true;
        floor = Math.max(0, newest - HOURS * HOUR);
      }
      return newest >= 0;
    }

    private RequestException gaveUp(long hour) {
      return new RequestException(
          "no point of "
              + tsuids.size()
              + " series from now back to "
              + Instant.ofEpochSecond(hour)
              + ", for which "
              + rows
              + " rows were looked for (hourstone.last.max_rows)");
    }
  }
}
