package org.hourstone.rollup;

import java.lang.System.Logger.Level;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntConsumer;
import java.util.function.Predicate;
import org.hourstone.codec.DuplicatePolicy;
import org.hourstone.codec.RowKey;
import org.hourstone.codec.Timestamps;
import org.hourstone.error.RequestException;
import org.hourstone.internal.PacedThread;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueReader;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.Scan;
import org.jspecify.annotations.Nullable;

/**
 * The rollups that a database computes itself: which hours are done, and how more of them are. See
 * {@code docs/rollups.md}. Thread-safe.
 *
 * <p>Hours are done newest first: those that have ended since, then rows that have changed, then
 * day by day those before, until there are none. Every step is complete before the next one begins,
 * so an interruption costs the step that was interrupted only.
 */
public final class OwnRollups {
  private static final System.Logger LOG = System.getLogger("org.hourstone.rollup");
  private static final long MINUTE_MILLIS = TimeUnit.MINUTES.toMillis(1);

  private static final PacedThread.Task IN_BACKGROUND =
      new PacedThread.Task("hourstone-rollup", "rolling up", MINUTE_MILLIS, MINUTE_MILLIS);

  /** An hour is rolled up this long after its end at the earliest: its rows are sealed then. */
  private static final long DELAY_SECONDS = 600;

  private static final int BATCH = 500;

  /** How many days without points are a step. */
  private static final int DAYS_TOGETHER = 30;

  private final RollupPlan plan;
  private final RolledHours hours;
  private final Function<IntConsumer, HourRoller> rollers;
  private final RollupRows stored;
  private final ExpiredRows expired;
  private final FutureHours future;
  private final InstantSource clock;
  private final long delay;

  private final LongAdder rows = new LongAdder();
  private final LongAdder failures = new LongAdder();
  private final AtomicReference<@Nullable PacedThread> thread = new AtomicReference<>();

  private OwnRollups(
      RollupPlan plan,
      RolledHours hours,
      Function<IntConsumer, HourRoller> rollers,
      RollupRows stored,
      ExpiredRows expired,
      Predicate<HourRange> hasPoints,
      InstantSource clock) {
    this.plan = plan;
    this.hours = hours;
    this.rollers = rollers;
    this.stored = stored;
    this.expired = expired;
    this.future = new FutureHours(hours, hasPoints, clock);
    this.clock = clock;
    this.delay =
        plan.longestFirst().stream()
            .mapToLong(RollupInterval::delaySla)
            .reduce(DELAY_SECONDS, Math::max);
  }

  /**
   * @param points with those of open rows, and with rows that have expired and are not deleted
   * @param store where rolled-up values are stored
   * @param hasPoints whether there are points of some hours that testify to the time
   * @param family of rows of points
   * @throws org.hourstone.kv.StoreException if the store fails
   */
  public static OwnRollups of(
      RollupPlan plan,
      RolledHours hours,
      KeyValueReader points,
      KeyValueStore store,
      Family family,
      RowKey keys,
      ExpiredRows expired,
      Predicate<HourRange> hasPoints,
      DuplicatePolicy duplicates,
      InstantSource clock) {
    String values = values(plan, duplicates);
    if (hours.use(values, () -> hasRows(plan, store, family))) {
      LOG.log(
          Level.WARNING,
          "the settings of rollups have changed: all are computed again as {0}",
          values);
    }
    RollupRows stored =
        new RollupRows(points, store, family, keys, plan, hours, duplicates, expired::contain);
    return new OwnRollups(
        plan,
        hours,
        pace -> new HourRoller(stored, store, plan, hours, duplicates, pace),
        stored,
        expired,
        hasPoints,
        clock);
  }

  /** All that the stored values depend on, as a text. */
  private static String values(RollupPlan plan, DuplicatePolicy duplicates) {
    return plan.fingerprint() + " " + duplicates;
  }

  private static boolean hasRows(RollupPlan plan, KeyValueReader store, Family points) {
    for (RollupInterval interval : plan.longestFirst()) {
      Family family = new Family(interval.table(), points.name());
      try (RowCursor rows = store.scan(family, Scan.all().limit(1).rowsPerFetch(1))) {
        if (rows.next() != null) {
          return true;
        }
      }
    }
    return false;
  }

  /**
   * Those of a store that is only read; null if what it has was rolled up to other intervals.
   *
   * @param store with the points of open rows, and with rows that have expired and are not deleted
   */
  public static @Nullable OwnRollups toRead(
      RollupPlan plan,
      RolledHours hours,
      KeyValueReader store,
      Family family,
      RowKey keys,
      ExpiredRows expired,
      DuplicatePolicy duplicates,
      InstantSource clock) {
    return hours.isOf(values(plan, duplicates))
        ? new OwnRollups(
            plan,
            hours,
            pace -> {
              throw new RequestException("the store is read-only");
            },
            new RollupRows(store, store, family, keys, plan, hours, duplicates, expired::contain),
            expired,
            range -> true,
            clock)
        : null;
  }

  /** The intervals. */
  public RollupPlan plan() {
    return plan;
  }

  /** Which hours are rolled up, and which rows of them have changed since. */
  public RolledHours hours() {
    return hours;
  }

  /** The rows of points that have expired. */
  public ExpiredRows expired() {
    return expired;
  }

  /** How many rows were rolled up since the start. */
  public long rows() {
    return rows.sum();
  }

  /** How often rolling up in the background has failed since the start. */
  public long failures() {
    return failures.sum();
  }

  /** How many seconds ago the newest hour ended that is rolled up; 0 if no hour is. */
  public long lagSeconds() {
    HourRange done = hours.done();
    return done.isEmpty() ? 0 : Math.max(0, clock.instant().getEpochSecond() - done.until());
  }

  /**
   * Rolls up all that can be. May be interrupted at any time, and repeated.
   *
   * @param isAbandoned whether to stop
   * @param progress receives the hours that are done, after each step
   * @param pace called with a number of rows that were read; may wait
   * @return how many rows were read
   * @throws CancellationException if it was abandoned
   * @throws org.hourstone.kv.StoreException if the store fails; what is done stays done
   */
  public long run(BooleanSupplier isAbandoned, Consumer<HourRange> progress, IntConsumer pace) {
    synchronized (hours.running()) {
      HourRoller roller =
          rollers.apply(
              count -> {
                check(isAbandoned);
                pace.accept(count);
              });
      try {
        rollNewHours(roller, isAbandoned, progress);
        rollChanged(roller, isAbandoned);
        while (rollDayBefore(roller, isAbandoned, progress)) {
          progress.accept(hours.done());
          rollNewHours(roller, isAbandoned, progress);
          rollChanged(roller, isAbandoned);
        }
        roller.throwUnreadable();
      } finally {
        rows.add(roller.rows());
        logRemoved(roller);
      }
      return roller.rows();
    }
  }

  /**
   * Computes all values again, and writes those that differ. The parameters are those of {@link
   * #run}.
   *
   * @return in how many rows of rolled-up values some differed
   * @throws CancellationException if it was abandoned
   */
  public long verify(BooleanSupplier isAbandoned, Consumer<HourRange> progress) {
    synchronized (hours.running()) {
      HourRange done = hours.done();
      HourRoller roller = rollers.apply(count -> check(isAbandoned));
      try {
        hours.forEachMark(roller::rollIfStray);
        rollChanged(roller, isAbandoned);
        long before = roller.written();
        long first = Math.max(done.from(), dayOf(roller.firstHour()));
        HourRange withoutPoints = done.within(new HourRange(0, first));
        rollThoseWithoutPoints(roller, withoutPoints, step -> check(isAbandoned));
        for (long day = dayOf(first); day < done.until(); day += RollupPlan.DAY) {
          HourRange whole = new HourRange(day, day + RollupPlan.DAY);
          roller.roll(whole.within(done), true);
          if (whole.within(done).equals(whole)) {
            roller.days().roll(day, true);
          }
          progress.accept(new HourRange(first, whole.within(done).until()));
        }
        roller.throwUnreadable();
        return roller.written() - before;
      } finally {
        logRemoved(roller);
      }
    }
  }

  /**
   * Finds rolled-up values and marks that must not be there, without computing any value.
   *
   * @param beforeRow called before each row is read; ends the check if it throws
   */
  public void check(Runnable beforeRow, Consumer<RolledUpCheck.Flaw> found) {
    new RolledUpCheck(plan, hours, stored, beforeRow, found).run();
  }

  /**
   * Rolls up again hours before the first that has points, newest first.
   *
   * @param done receives some that are rolled up
   */
  private static void rollThoseWithoutPoints(
      HourRoller roller, HourRange range, Consumer<HourRange> done) {
    long first = roller.firstHourOfValues();
    long until = range.until();
    while (until > Math.max(first, range.from())) {
      long begin = dayOf(until - 1) - (DAYS_TOGETHER - 1) * RollupPlan.DAY;
      HourRange step = new HourRange(Math.max(range.from(), begin), until);
      roller.roll(step, true);
      roller.days().rollThoseWithoutPoints(step.inWhole(RollupPlan.DAY));
      done.accept(step);
      until = step.from();
    }
  }

  private static void logRemoved(HourRoller roller) {
    if (roller.removed() > 0) {
      LOG.log(
          Level.WARNING,
          "rolled-up values of {0} hours of series were removed, because those hours have no"
              + " points",
          roller.removed());
    }
  }

  private static void check(BooleanSupplier isAbandoned) {
    if (isAbandoned.getAsBoolean()) {
      throw new CancellationException("rolling up was abandoned");
    }
  }

  private void rollNewHours(
      HourRoller roller, BooleanSupplier isAbandoned, Consumer<HourRange> progress) {
    // Later rows there are none: a range that ends behind them is that of values of others.
    long ended = Math.min(clock.instant().getEpochSecond() - delay, Timestamps.MAX_SECONDS);
    long until = ended - Math.floorMod(ended, Timestamps.ROW_SECONDS);
    future.retract(until);
    while (until > 0 && (hours.done().isEmpty() || hours.done().until() < until)) {
      HourRange done = hours.done();
      long from = done.isEmpty() ? dayOf(until - 1) : done.until();
      long to = Math.min(until, dayOf(from) + RollupPlan.DAY);
      roll(roller, new HourRange(from, to), isAbandoned);
      progress.accept(hours.done());
    }
  }

  private static long dayOf(long seconds) {
    return seconds - Math.floorMod(seconds, RollupPlan.DAY);
  }

  /** Rolls up hours of a day, next to those that are done. */
  private void roll(HourRoller roller, HourRange more, BooleanSupplier isAbandoned) {
    boolean replaces = announced(more, isAbandoned);
    roller.roll(more, replaces);
    HourRange all = hours.done().with(more);
    long day = dayOf(more.from());
    if (all.from() <= day && all.until() >= day + RollupPlan.DAY) {
      roller.days().roll(day, replaces);
    }
    hours.complete(more);
  }

  private boolean announced(HourRange more, BooleanSupplier isAbandoned) {
    Boolean replaces = hours.announce(more, isAbandoned);
    if (replaces == null) {
      throw new CancellationException("rolling up was abandoned");
    }
    return replaces;
  }

  /** Returns whether there may be more to do. */
  private boolean rollDayBefore(
      HourRoller roller, BooleanSupplier isAbandoned, Consumer<HourRange> progress) {
    HourRange done = hours.done();
    if (done.isEmpty() || done.from() == 0) {
      return false;
    }
    if (roller.firstHour() >= done.from()) {
      HourRange rest = new HourRange(0, done.from());
      boolean replaces = announced(rest, isAbandoned);
      if (roller.firstHour() >= done.from()) { // no row was added before it was announced
        if (replaces) {
          rollThoseWithoutPoints(
              roller,
              rest,
              step -> {
                hours.complete(step);
                progress.accept(hours.done());
                check(isAbandoned);
              });
        }
        hours.complete(rest);
        return false;
      }
    }
    roll(roller, new HourRange(dayOf(done.from() - 1), done.from()), isAbandoned);
    return true;
  }

  private void rollChanged(HourRoller roller, BooleanSupplier isAbandoned) {
    byte[] after = new byte[0];
    List<MarkedHour> changed = hours.changed(after, BATCH);
    while (!changed.isEmpty()) {
      if (!hours.forget(changed, isAbandoned)) {
        throw new CancellationException("rolling up was abandoned");
      }
      roller.rollAgain(changed, hours.done());
      after = changed.get(changed.size() - 1).row();
      changed = hours.changed(after, BATCH);
    }
  }

  /**
   * Begins to roll up in the background, once a minute; {@link #stop} must follow.
   *
   * @param rowsPerSecond of points that are read, at least 1
   */
  public void start(int rowsPerSecond) {
    if (thread.get() == null) {
      thread.set(PacedThread.start(IN_BACKGROUND, rowsPerSecond, failures, this::runIn));
    }
  }

  /** The run itself sees whether it is closed. */
  private static void pause(PacedThread background, int rows) {
    boolean unused = background.pause(rows);
  }

  private void runIn(PacedThread background) {
    try {
      var unused = run(background::isClosed, done -> {}, count -> pause(background, count));
    } catch (CancellationException e) {
      // It is being closed.
    }
  }

  /** Ends what {@link #start} began, after the rows in progress. Idempotent. */
  public void stop() {
    PacedThread ending = thread.getAndSet(null);
    if (ending != null) {
      ending.close();
    }
  }
}
