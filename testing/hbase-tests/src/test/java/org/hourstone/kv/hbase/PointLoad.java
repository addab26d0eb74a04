package org.hourstone.kv.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.kv.StoreException;
import org.hourstone.query.Query;
import org.hourstone.query.ResultSeries;
import org.hourstone.query.SeriesCursor;
import org.jspecify.annotations.Nullable;

/**
 * Points that are written, read and compacted without a pause. Every answer must have all points
 * that were acknowledged before it was asked for, and none but those that were written.
 */
final class PointLoad implements Load {
  private static final int SERIES = 2;
  private static final int IN_FLIGHT = 30;

  /** 90 points an hour, so that rows are many. */
  private static final int STEP_SECONDS = 40;

  private static final long START = 1_500_000_000;

  /** How many of the newest points are asked for while more are written. */
  private static final int WINDOW = 400;

  private final Tsdb db;
  private final String metric;
  private final List<Written> series = new ArrayList<>();

  /** Series of one point whose names were new, by tag value. */
  private final Map<String, Integer> newSeries = new ConcurrentHashMap<>();

  private final List<Activity> activities = new ArrayList<>();

  private PointLoad(Tsdb db, String metric) {
    this.db = db;
    this.metric = metric;
  }

  static PointLoad start(Tsdb db, String metric) throws Exception {
    PointLoad load = new PointLoad(db, metric);
    for (int i = 0; i < SERIES; i++) {
      Written written = load.new Written("h" + i);
      written.putFirst();
      load.series.add(written);
      load.activities.add(Activity.start(metric + " put " + written.host, 10, written::put));
    }
    load.activities.add(Activity.start(metric + " put new series", 100, load::putNewSeries));
    load.activities.add(
        Activity.start(
            metric + " query", 50, time -> load.series.get(time % SERIES).assertNewestRead()));
    load.activities.add(Activity.start(metric + " compact", 100, time -> load.compact()));
    return load;
  }

  @Override
  public List<Activity> activities() {
    return activities;
  }

  /** Every point that was acknowledged is there, and no point that was never written. */
  @Override
  public void assertComplete() {
    for (Written each : series) {
      each.assertRead(0, each.taken());
    }
    Map<String, Integer> found = new HashMap<>();
    read(
        metric + ".new{host=*}",
        0,
        1,
        each -> found.merge(String.valueOf(each.tags().get("host")), 1, Integer::sum));
    assertThat(found.values()).allMatch(count -> count == 1);
    assertThat(found.keySet()).containsAll(newSeries.keySet());
  }

  private void putNewSeries(int time) throws Exception {
    String host = "new" + time;
    await(db.put(metric + ".new", Instant.ofEpochSecond(START), time, Tags.of("host", host)));
    newSeries.put(host, time);
  }

  private void compact() {
    db.compactions().flush();
    db.flush();
  }

  private interface Reader {
    void read(ResultSeries series);
  }

  private void read(String series, int from, int to, Reader reader) {
    Query query = Query.parse("none:" + series).between(instant(from), instant(to).minusMillis(1));
    try (SeriesCursor cursor = db.query(query)) {
      cursor.forEach(reader::read);
    }
  }

  private static Instant instant(int point) {
    return Instant.ofEpochSecond(START + (long) point * STEP_SECONDS);
  }

  private static void await(java.util.concurrent.Future<?> stored) throws Exception {
    try {
      stored.get(Load.PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (java.util.concurrent.ExecutionException e) {
      throw e.getCause() instanceof StoreException failure ? failure : e;
    }
  }

  /** What was written of a series. */
  private final class Written {
    private final String host;
    private final Semaphore free = new Semaphore(IN_FLIGHT);
    private final BitSet acknowledged = new BitSet();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private int taken;

    Written(String host) {
      this.host = host;
    }

    /** So that the names are known to queries. */
    void putFirst() throws Exception {
      await(db.put(metric, instant(0), value(0), Tags.of("host", host)));
      taken = 1;
      acknowledged.set(0);
    }

    /** Throws what became of an earlier point, if that failed. */
    void put(int time) throws Exception {
      int point = time + 1;
      if (!free.tryAcquire(Load.PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        throw new AssertionError("no answer to " + metric + " " + host);
      }
      synchronized (this) {
        taken = point + 1;
      }
      try {
        var unused =
            db.put(metric, instant(point), value(point), Tags.of("host", host))
                .whenComplete((stored, reason) -> told(point, reason));
      } catch (RuntimeException e) {
        free.release();
        throw e;
      }
      Throwable earlier = failure.getAndSet(null);
      if (earlier != null) {
        throw earlier instanceof StoreException known ? known : new IllegalStateException(earlier);
      }
    }

    private void told(int point, @Nullable Throwable reason) {
      if (reason == null) {
        synchronized (this) {
          acknowledged.set(point);
        }
      } else {
        failure.set(reason);
      }
      free.release();
    }

    synchronized int taken() {
      return taken;
    }

    void assertNewestRead() {
      int to = taken();
      assertRead(Math.max(0, to - WINDOW), to);
    }

    void assertRead(int from, int to) {
      BitSet missing;
      synchronized (this) {
        missing = acknowledged.get(from, to);
      }
      read(
          metric + "{host=" + host + "}",
          from,
          to,
          answer -> {
            for (int i = 0; i < answer.size(); i++) {
              int point = (int) ((answer.millis(i) / 1000 - START) / STEP_SECONDS);
              assertThat(answer.millis(i)).isEqualTo(instant(point).toEpochMilli());
              assertThat(point).isBetween(from, to - 1);
              assertThat(answer.longValue(i)).isEqualTo(value(point));
              missing.clear(point - from);
            }
          });
      assertThat(missing.stream().boxed())
          .as(
              "points %d to %d of %s %s that were acknowledged and not read",
              from, to, metric, host)
          .isEmpty();
    }

    private long value(int point) {
      return point * 1_000_003L + host.hashCode();
    }
  }
}
