package org.hourstone.meta;

import com.google.common.collect.Lists;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.hourstone.codec.RowKey;
import org.hourstone.internal.Backoff;
import org.hourstone.internal.Deadline;
import org.hourstone.internal.HeapRoom;
import org.hourstone.internal.Retry;
import org.hourstone.internal.UidText;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.Row;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * Records in the meta table, on a separate thread, that points were written. Never fails its
 * caller: a failure is counted in {@link MetaFailures}, and the points are stored nevertheless.
 * Thread-safe.
 */
final class SeriesTracking {
  /** Few attempts, because callers of flush and close wait for them. */
  private static final int ATTEMPTS = 3;

  /**
   * The maximum number of series that wait to be recorded, and also of series whose TSMeta is still
   * to be created.
   */
  private static final int MOST_SERIES = 100_000;

  /** The approximate memory of such a series. */
  private static final int SERIES_BYTES = 200;

  /**
   * The maximum share of the heap, as a divisor, of the waiting series, and also of the series
   * whose TSMeta is still to be created.
   */
  private static final int HEAP_SHARE = 32;

  private static final int SERIES_PER_CALL = 1024;

  private final TrackingMode mode;
  private final TsMetaTable table;
  private final RowKey keys;
  private final InstantSource clock;

  /**
   * Counting points twice is worse than not counting them, so a call of unknown outcome is not
   * repeated.
   */
  private final Retry retry;

  private final Retry once;
  private final int mostSeries;
  private final MetaFailures failures;
  private final Consumer<TsMeta> created;
  private final TrackingThread thread;

  /**
   * Whether a call in this round has used up its attempts. The other calls then have one each, and
   * no TSMeta is created: closing and flushing would wait for each of them. Tracking thread only.
   */
  private boolean storeFails;

  /** Series whose TSMeta could not be created with their first point; tried again with the next. */
  private final Set<Bytes> owed = ConcurrentHashMap.newKeySet();

  /**
   * @param created receives each TSMeta created; its exceptions count as failures
   */
  SeriesTracking(
      TrackingMode mode,
      TsMetaTable table,
      RowKey keys,
      InstantSource clock,
      Backoff backoff,
      MetaFailures failures,
      Consumer<TsMeta> created) {
    this.mode = mode;
    this.table = table;
    this.keys = keys;
    this.clock = clock;
    this.retry = new Retry(ATTEMPTS, backoff).onlyUnapplied();
    this.once = new Retry(1, backoff);
    this.failures = failures;
    this.created = created;
    long room = HeapRoom.bytes() / HEAP_SHARE / SERIES_BYTES;
    this.mostSeries = (int) Math.min(MOST_SERIES, room);
    this.thread =
        new TrackingThread(
            this::note,
            mostSeries,
            (e, series) ->
                failures.add(
                    "points of up to " + series + " series",
                    "the thread that records them has died: " + e));
  }

  /**
   * Called when points were stored. Waits while too many series wait to be recorded.
   *
   * @param rows the rows of the data table that contain the points
   * @param points the number of points in each row
   */
  void written(List<byte[]> rows, List<Integer> points) {
    if (mode == TrackingMode.OFF) {
      return;
    }
    Map<Bytes, Long> series = new LinkedHashMap<>();
    for (int i = 0; i < rows.size(); i++) {
      series.merge(new Bytes(keys.tsuid(rows.get(i))), (long) points.get(i), Long::sum);
    }
    if (!thread.add(series)) {
      failures.add(
          "points of " + series.size() + " series",
          "the thread that records them has ended, or closing takes too long");
    }
  }

  /**
   * Whether points are recorded: false if recording is off or has ended, or its thread has died.
   */
  boolean isRunning() {
    return mode != TrackingMode.OFF && thread.isOpen();
  }

  /** Waits until all points written so far are recorded, or the thread has died. */
  void await() {
    thread.await();
  }

  /** Records points written so far, until the deadline; later points are not recorded. */
  void close(Deadline deadline) {
    thread.close(deadline, clock);
  }

  private void note(Map<Bytes, Long> series) {
    storeFails = false;
    if (mode == TrackingMode.COUNT) {
      series.forEach(this::count);
      return;
    }
    List<byte[]> tsuids = series.keySet().stream().map(Bytes::array).toList();
    for (List<byte[]> some : Lists.partition(tsuids, SERIES_PER_CALL)) {
      if (mode == TrackingMode.TOUCH) {
        touch(some);
      } else {
        createMissing(some);
      }
    }
  }

  private void touch(List<byte[]> tsuids) {
    attempt(
        "ts_ctr of " + tsuids.size() + " series",
        () -> {
          table.touch(tsuids);
          return true;
        });
  }

  private void createMissing(List<byte[]> tsuids) {
    List<Row> rows = attempt("ts_meta of " + tsuids.size() + " series", () -> table.metas(tsuids));
    if (rows == null) {
      return;
    }
    for (Row row : rows) {
      if (row.isEmpty()) {
        create(row.key());
      }
    }
  }

  private void count(Bytes series, long points) {
    byte[] tsuid = series.array();
    Long sum = attempt("ts_ctr of " + UidText.format(tsuid), () -> table.count(tsuid, points));
    // If the outcome of counting is unknown, the first point may have been counted.
    boolean first = sum == null || (sum >= 1 && sum - points < 1);
    if (first || owed.remove(series)) {
      boolean created = !(sum == null && storeFails) && create(tsuid);
      if (!created && owed.size() < mostSeries) {
        owed.add(series);
      }
    }
  }

  /** Creates a TSMeta unless there is one; returns whether there is one now. */
  private boolean create(byte[] tsuid) {
    TsMeta meta = TsMeta.of(UidText.format(tsuid), clock.millis() / 1000);
    String what = "ts_meta of " + meta.tsuid();
    if (storeFails) {
      failures.add(what, "not tried, since the store keeps failing");
      return false;
    }
    // The table repeats its calls itself.
    Boolean isNew = attempt(what, once, () -> table.create(tsuid, meta));
    if (isNew != null && isNew) {
      tell(meta);
    }
    return isNew != null;
  }

  /** A listener's failure must not keep the other series of the batch from being recorded. */
  private void tell(TsMeta meta) {
    try {
      created.accept(meta);
    } catch (RuntimeException e) {
      failures.add("work that depends on ts_meta of " + meta.tsuid(), e);
    }
  }

  /** As {@link #attempt(String, Retry, Supplier)}, with as many attempts as the round has left. */
  private <T> @Nullable T attempt(String what, Supplier<T> call) {
    return attempt(what, storeFails ? once : retry, call);
  }

  /** Makes a call of the store; if it keeps failing, gives up and reports the failure. */
  private <T> @Nullable T attempt(String what, Retry policy, Supplier<T> call) {
    if (Thread.currentThread().isInterrupted()) {
      failures.add(what, "not recorded before the deadline of closing");
      return null;
    }
    try {
      T result = policy.call(call);
      failures.succeeded();
      return result;
    } catch (StoreException e) {
      storeFails |= e.outcome() == Outcome.NOT_APPLIED;
      failures.add(what, e);
    } catch (RuntimeException e) { // one series must not keep the others from being recorded
      failures.add(what, e);
    }
    return null;
  }
}
