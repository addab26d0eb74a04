package org.hourstone.retention;

import java.lang.System.Logger.Level;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntConsumer;
import org.hourstone.codec.RowKey;
import org.hourstone.error.RequestException;
import org.hourstone.internal.PacedThread;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.rollup.HourRange;
import org.hourstone.rollup.RollupConfig;
import org.hourstone.rollup.RollupInterval;
import org.hourstone.table.TableListener;
import org.hourstone.uid.NameRules;
import org.hourstone.uid.UidTable;
import org.jspecify.annotations.Nullable;

/**
 * How long a database keeps its data. From the moment a row has expired queries, last points and
 * look-ups of data don't return it; a run deletes it. Thread-safe.
 */
public final class Retention {
  private static final System.Logger LOG = System.getLogger("org.hourstone.retention");
  private static final long DAY = 86_400;

  private final RetentionRules rules;
  private final KeyValueStore store;
  private final Family points;
  private final RowKey keys;
  private final UidTable uids;
  private final InstantSource clock;
  private final Expiry expiry;
  private final LongAdder deleted = new LongAdder();
  private final LongAdder runs = new LongAdder();
  private final LongAdder refused = new LongAdder();
  private final LongAdder removedSeries = new LongAdder();

  /** Rows that the last run kept until they are rolled up. */
  private volatile long waiting;

  private final EmptySeries emptySeries;
  private final ExpiringPoints expiring;

  /** When series without rows were last sought; null if they were not. */
  private final AtomicReference<@Nullable Instant> soughtAt = new AtomicReference<>();

  private final LongAdder failures = new LongAdder();
  private final AtomicReference<@Nullable PacedThread> thread = new AtomicReference<>();

  /** Whether the clock was wrong when the thread ran last. */
  private volatile boolean isClockWrong;

  /**
   * @param store where rows are deleted
   * @param points the data table's family
   * @param rollups how values are rolled up; null if they are not
   * @param emptySeries removes series of which all rows were deleted
   * @param names which names series may have
   * @param allowsShort whether rules may delete what is younger than a day
   * @throws IllegalArgumentException if a rule can't be applied; the message has it and the reason
   */
  public Retention(
      RetentionRules rules,
      KeyValueStore store,
      Family points,
      RowKey keys,
      UidTable uids,
      @Nullable RollupConfig rollups,
      EmptySeries emptySeries,
      ExpiringPoints expiring,
      NameRules names,
      boolean allowsShort,
      InstantSource clock) {
    this.rules = rules;
    this.store = store;
    this.points = points;
    this.keys = keys;
    this.uids = uids;
    this.clock = clock;
    this.emptySeries = emptySeries;
    this.expiring = expiring;
    List<RollupInterval> intervals =
        rollups == null
            ? List.of()
            : rollups.intervals().stream().filter(interval -> !interval.isDefault()).toList();
    rules.check(
        intervals.stream().map(RollupInterval::name).toList(),
        allowsShort ? 1 : DAY,
        "if that is meant, set hourstone.retention.short=true",
        names);
    List<Expiry.Table> tables = ExpiringTables.of(points, rollups, intervals, expiring);
    this.expiry = new Expiry(rules, tables, keys, uids, clock);
  }

  /** Whether there is any rule. */
  public boolean isOn() {
    return !rules.isEmpty();
  }

  /** A store without the rows that have expired; the same if there is no rule. */
  public KeyValueStore over(KeyValueStore reader) {
    return isOn() ? new UnexpiredStore(reader, expiry) : reader;
  }

  /** Whether any row of a table with this base time may have expired: a cheap test. */
  public boolean mayHaveExpired(Family family, long baseTime) {
    return isOn() && expiry.mayHaveExpired(family, baseTime);
  }

  /** The base time before which a metric's rows of points may have expired; 0 if none can have. */
  public long mayHaveExpiredBefore(byte[] metric) {
    return isOn() ? expiry.mayHaveExpiredBefore(Expiry.Table.ofPoints(points), metric) : 0;
  }

  /** As {@link #mayHaveExpiredBefore(byte[])}, of any metric. */
  public long mayHaveExpiredBefore() {
    return isOn() ? expiry.mayHaveExpiredBefore(Expiry.Table.ofPoints(points)) : 0;
  }

  /** Whether a row has expired. */
  public boolean hasExpired(Family family, byte[] row) {
    return isOn() && expiry.expiredBy(family, row) != null;
  }

  /**
   * Must be called before a row gets a value from a client.
   *
   * @throws RequestException if it has expired: the value could not be read
   */
  public void admit(Family family, byte[] row) {
    RetentionRule rule = isOn() ? expiry.expiredBy(family, row) : null;
    if (rule != null) {
      throw new RequestException(
          "values of the hour of "
              + Instant.ofEpochSecond(keys.baseTime(row))
              + " have expired by \""
              + rule
              + "\" (hourstone.retention)");
    }
  }

  /**
   * Deletes the rows that have expired, makes the store reclaim their space, if it can, and removes
   * series of which all rows were deleted from the index, if no other process writes. Rows of
   * points that are to be rolled up stay until they are. May run beside writers and queries, be
   * interrupted at any time, and be repeated.
   *
   * @param dryRun whether rows are only counted
   * @param clockIsRight whether it runs even if the newest point is older than a day
   * @param threads at least 1
   * @throws ImplausibleClockException if the newest point is older
   * @throws org.hourstone.kv.StoreException if the store fails; some rows may be deleted
   */
  public RetentionReport run(
      boolean dryRun, boolean clockIsRight, int threads, TableListener listener) {
    return run(dryRun, clockIsRight, threads, listener, rows -> {}, true);
  }

  /** As a daemon does, which seeks series without rows once a day: that reads many rows. */
  RetentionReport runAtRate(IntConsumer pace) {
    Instant last = soughtAt.get();
    Instant now = clock.instant();
    boolean seeks = last == null || now.isBefore(last) || now.isAfter(last.plusSeconds(DAY));
    return run(false, false, 1, TableListener.NONE, pace, seeks);
  }

  private RetentionReport run(
      boolean dryRun,
      boolean clockIsRight,
      int threads,
      TableListener listener,
      IntConsumer pace,
      boolean seeksEmptySeries) {
    if (threads < 1) {
      throw new RequestException("threads: " + threads);
    }
    if (!dryRun && !clockIsRight) {
      checkClock();
    }
    RetentionRun run = new RetentionRun(store, points, keys, uids, expiry, dryRun, expiring, pace);
    try {
      RetentionReport report = run.run(threads, listener);
      return dryRun || !seeksEmptySeries ? report : report.withSeries(removeEmptySeries());
    } finally {
      if (!dryRun) {
        ended(run.report());
      }
    }
  }

  private void checkClock() {
    try {
      new ClockCheck(store, points, keys, uids, clock).check();
    } catch (ImplausibleClockException e) {
      refused.increment();
      throw e;
    }
  }

  /**
   * Whether there are points of some hours, other than those of daemons about themselves: they
   * testify to the time, as {@link #run} needs it.
   */
  public boolean hasPoints(HourRange hours) {
    return new ClockCheck(store, points, keys, uids, clock).hasPoints(hours.from(), hours.until());
  }

  private long removeEmptySeries() {
    soughtAt.set(clock.instant());
    long removed = emptySeries.remove(expiry::mayHaveExpired, clock.millis() / 1000);
    removedSeries.add(removed);
    if (removed > 0) {
      LOG.log(Level.INFO, "{0} series without a row were removed from the index", removed);
    }
    return removed;
  }

  private void ended(RetentionReport report) {
    runs.increment();
    deleted.add(report.rows());
    waiting = report.waiting();
    for (RetentionReport.OfRule rule : report.rules()) {
      LOG.log(
          Level.INFO,
          "expired: {0} rows of {1} values deleted by \"{2}\"",
          rule.rows(),
          rule.values(),
          rule.rule());
    }
    if (report.waiting() > 0) {
      LOG.log(
          Level.INFO,
          "{0} rows of points have expired and are kept until they are rolled up",
          report.waiting());
    }
  }

  /**
   * Begins to delete what has expired, once an hour from the next minute on, if there is any rule;
   * {@link #stop} must follow.
   *
   * @param rowsPerSecond at least 1
   */
  public void start(int rowsPerSecond) {
    // So that opening is over, and a wrong clock may be corrected.
    start(rowsPerSecond, TimeUnit.MINUTES.toMillis(1), TimeUnit.HOURS.toMillis(1));
  }

  void start(int rowsPerSecond, long firstMillis, long periodMillis) {
    if (isOn() && thread.get() == null) {
      PacedThread.Task task =
          new PacedThread.Task(
              "hourstone-retention", "deleting what has expired", firstMillis, periodMillis);
      thread.set(PacedThread.start(task, rowsPerSecond, failures, this::runIn));
    }
  }

  private void runIn(PacedThread background) {
    try {
      var unused =
          runAtRate(
              rows -> {
                if (background.pause(rows)) {
                  Thread.currentThread().interrupt(); // ends the run
                }
              });
      isClockWrong = false;
    } catch (ImplausibleClockException e) {
      if (!isClockWrong) {
        LOG.log(Level.WARNING, e.getMessage());
      }
      isClockWrong = true;
    }
  }

  /** Ends what {@link #start} began, after the rows in progress. Idempotent. */
  public void stop() {
    PacedThread running = thread.getAndSet(null);
    if (running != null) {
      running.close();
    }
  }

  /** What runs of this process have done. */
  public RetentionStats stats() {
    return new RetentionStats(
        runs.sum(), refused.sum(), failures.sum(), deleted.sum(), removedSeries.sum(), waiting);
  }
}
