package org.hourstone.testing.life;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.hourstone.MemorySettings;
import org.hourstone.QuerySettings;
import org.hourstone.RetentionSettings;
import org.hourstone.RollupSettings;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.codec.RowKey;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Trait;
import org.hourstone.rewrite.CompactionListener;
import org.hourstone.rewrite.CompactionScope;
import org.hourstone.testkit.ManualClock;
import org.hourstone.testkit.store.MortalStore;

/**
 * A random history of one store: points, deletions, imports, copies, rolling up, retention,
 * repairs, other settings, and crashes in any call. After half of the steps, since what is wrong
 * stays so for some steps, a random query must have the result of a model, or that which it has
 * over points. Not thread-safe.
 */
public final class Life implements AutoCloseable {
  static final String INTEGERS = "ints";
  static final String DECIMALS = "decs";

  private static final long HOUR = LifeModel.HOUR;
  private static final long DAY = 24 * HOUR;
  static final int HOSTS = 4;
  private static final int STEPS_SHOWN = 60;

  /** All points are read after one of this many steps: what is wrong in the store stays so. */
  private static final int WHOLE_CHECK = 24;

  /** Whether all steps are printed. */
  private static final boolean TRACES = Boolean.getBoolean("hourstone.life.trace");

  private static final List<String> INTERVALS =
      List.of("1h,1d", "1h,1d", "10m,1h,1d", "1h", "1m,30m", "30m,1d", "");

  private final KeyValueStore store;
  private final InjectedFault fault;
  private final long seed;
  private final RandomGenerator random;
  private final LifeClock clock;
  private final LifeModel model = new LifeModel();
  private final LifeCheck check;
  private final LifeExpired expired;
  private final LifeWrites writes;
  private final LifeRolls rolls;
  private final Deque<String> steps = new ArrayDeque<>();
  private final TsdbOptions common;
  private List<String> intervals = List.of();

  /** Those of which the state in the store is. */
  private List<String> lastIntervals = List.of();

  private MortalStore mortal;
  private LifeStore between;
  private Tsdb db;

  /** Whether the process may die in the present step. */
  private boolean mayDie;

  /** By how much the clock is ahead. */
  private Duration ahead = Duration.ZERO;

  private int number;

  /**
   * @param store empty; whose clock is this one
   */
  public Life(KeyValueStore store, ManualClock clock, long seed, InjectedFault fault) {
    this.store = store;
    this.fault = fault;
    this.seed = seed;
    this.clock = new LifeClock(clock);
    this.random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    this.check = new LifeCheck(random, model);
    this.expired = new LifeExpired(random, model);
    LifeDraws draws = new LifeDraws(random, model);
    this.writes = new LifeWrites(this, random, model, draws);
    this.rolls = new LifeRolls(this, random, model, draws, writes);
    Instant start = Instant.ofEpochSecond((20_000 + seed % 60) * DAY + random.nextLong(DAY));
    this.clock.advance(Duration.between(clock.instant(), start));
    this.common =
        TsdbOptions.defaults()
            .withClock(this.clock)
            .with(Settings.CREATE_TABLES, "true")
            .with(Settings.COMPACTION_BACKGROUND, "false")
            .with(Settings.FLUSH_INTERVAL, "0")
            .with(MemorySettings.WRITE_ATTEMPTS, "1")
            .with(MemorySettings.WRITE_THREADS, "1")
            .with(MemorySettings.WRITE_BATCH, "1")
            .with(QuerySettings.QUERY_THREADS, "1")
            .with(RetentionSettings.SHORT, "true")
            .with(QuerySettings.QUERY_SLICE_ROWS, seed % 2 == 0 ? "3" : "1000")
            .with(Settings.SALT_WIDTH, seed % 3 == 0 ? "1" : "0")
            .with(Settings.SALT_BUCKETS, seed % 3 == 0 ? "3" : "20");
    this.intervals = randomIntervals();
    this.mortal = new MortalStore(store);
    this.between = new LifeStore(mortal, fault, keys(), common.tables().points());
    this.db = open();
    name();
  }

  private RowKey keys() {
    return new RowKey(common.schema());
  }

  /** In a defined order, so that other stores can give the same names the same UIDs. */
  private void name() {
    for (int host = 0; host < HOSTS; host++) {
      for (String metric : List.of(INTEGERS, DECIMALS)) {
        db.writer().series(metric, Map.of("host", "h" + host));
      }
    }
  }

  private List<String> randomIntervals() {
    String some = INTERVALS.get(random.nextInt(INTERVALS.size()));
    return some.isEmpty() ? List.of() : List.of(some.split(",", -1));
  }

  private Tsdb open() {
    if (!intervals.isEmpty()) {
      if (!intervals.equals(lastIntervals)) {
        model.changeIntervals();
      }
      lastIntervals = intervals;
    }
    Tsdb opened =
        Tsdb.over(
            between,
            common
                .with(Settings.HEAD, random.nextInt(3) > 0 ? "true" : "false")
                .with(RollupSettings.AUTO, String.join(",", intervals))
                .with(RetentionSettings.RULES, model.rules.text(intervals)));
    opened.writer().catchUp();
    return opened;
  }

  /** Moves the clock, and has the database do what is due then; by a negative duration back. */
  void advance(Duration by) {
    clock.advance(by);
    catchUp();
  }

  /** Waits until the thread that writes has nothing to do. */
  void catchUp() {
    db.writer().catchUp();
  }

  LifeClock clock() {
    return clock;
  }

  long now() {
    return clock.instant().getEpochSecond();
  }

  Tsdb db() {
    return db;
  }

  LifeStore store() {
    return between;
  }

  MortalStore mortal() {
    return mortal;
  }

  List<String> intervals() {
    return intervals;
  }

  /** Whether the clock is. */
  boolean isAhead() {
    return !ahead.isZero();
  }

  /** How many queries were found to read rolled-up values, of how many. */
  public long[] rolledUp() {
    return new long[] {check.rolledUp, check.explained};
  }

  /**
   * Plays steps.
   *
   * @throws AssertionError if something is wrong; the message has the seed and the last steps
   */
  public void play(int count) {
    try {
      for (int i = 0; i < count; i++) {
        number++;
        advance(Duration.ofMillis(1000 + random.nextInt(60_000)));
        if (random.nextInt(32) == 0) {
          crash();
        } else {
          step(random.nextInt(100));
        }
        catchUp();
        verify();
      }
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError(
          "seed "
              + seed
              + ", step "
              + number
              + ", now "
              + now()
              + ": "
              + e.getMessage()
              + "\n"
              + String.join("\n", steps),
          e);
    }
  }

  private void verify() {
    if (random.nextInt(WHOLE_CHECK) == 0 || model.isUncertain()) {
      resolve();
    }
    switch (random.nextInt(8)) {
      case 0 -> check.checkQuery(db, now());
      case 1, 2, 3 -> check.checkValues(db, now());
      default -> {}
    }
    if (!model.rules.rules().isEmpty() && random.nextInt(8) == 0) {
      boolean hasHours = intervals.contains("1h") && intervals.equals(lastIntervals);
      expired.check(db, now(), hasHours);
    }
  }

  private void resolve() {
    check.checkPoints(db, INTEGERS, now());
    check.checkPoints(db, DECIMALS, now());
    if (model.isUncertain()) {
      new StoredPoints(db).check(model);
    }
  }

  void log(String step) {
    between.begin(step);
    note(number + " " + clock.instant() + " " + step);
  }

  void note(String what) {
    steps.add(what);
    if (steps.size() > STEPS_SHOWN) {
      steps.remove();
    }
    if (TRACES) {
      System.out.println(what);
    }
  }

  /** The process dies in a call of one of the next steps, or after them. */
  private void crash() {
    int writes = random.nextInt(12);
    log("dies after " + writes + " writes");
    mortal.dieAfter(writes, random.nextBoolean());
    mayDie = true;
    for (int i = random.nextInt(4); i >= 0; i--) {
      try {
        step(random.nextInt(88));
        catchUp();
      } catch (RuntimeException e) {
        if (!isOfDeath(e)) {
          throw e;
        }
      }
    }
    mayDie = false;
    mortal.die();
    try {
      db.close();
    } catch (RuntimeException e) {
      if (!isOfDeath(e)) {
        throw e;
      }
    }
    between.lose(store);
    mortal = new MortalStore(store);
    between = new LifeStore(mortal, fault, keys(), common.tables().points());
    if (random.nextInt(3) == 0) {
      changeSettings();
    }
    log("opened after the crash");
    db = open();
    if (rolls.isCorrupt()) {
      rolls.repair();
    }
    resolve();
  }

  static boolean isOfDeath(RuntimeException e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (String.valueOf(cause.getMessage()).contains(MortalStore.DEAD)) {
        return true;
      }
      for (Throwable other : cause.getSuppressed()) {
        if (String.valueOf(other.getMessage()).contains(MortalStore.DEAD)) {
          return true;
        }
      }
    }
    return false;
  }

  private void step(int kind) {
    if (kind < 42) {
      log("put");
      writes.put(1 + random.nextInt(6));
    } else if (kind < 47) {
      writes.delete();
    } else if (kind < 50) {
      writes.load();
    } else if (kind < 51) {
      writes.copy();
    } else if (kind < 53) {
      writes.annotate();
    } else if (kind < 61) {
      advance();
    } else if (kind < 64) {
      jump();
    } else if (kind < 71) {
      rolls.roll();
    } else if (kind < 75) {
      rolls.rollInPart();
    } else if (kind < 82) {
      rolls.rollBesideWrites();
    } else if (kind < 86) {
      rolls.retain();
    } else if (kind < 87) {
      log("compact");
      model.mayRewrite();
      var unused = db.compactor().run(CompactionScope.everything(), CompactionListener.NONE);
    } else if (kind < 88) {
      rolls.corruptAndRepair();
    } else if (kind < 92) {
      reopen();
    } else if (kind < 94) {
      log("rolls up by a store that fails");
      rolls.rollFailing();
    } else {
      log("flush");
      db.flush();
    }
  }

  private void advance() {
    Duration by = Duration.ofSeconds(random.nextLong(random.nextInt(6) == 0 ? 2 * DAY : 8 * HOUR));
    advance(by);
    log("to " + clock.instant());
  }

  /**
   * The clock is wrong for some steps: of a store whose write times then go back, too, values that
   * are written later would not be the newest.
   */
  private void jump() {
    if (!store.traits().contains(Trait.MONOTONIC_WRITE_TIMES)) {
      return;
    }
    if (!ahead.isZero()) {
      advance(ahead.negated());
      ahead = Duration.ZERO;
    } else if (random.nextInt(3) == 0) {
      ahead = Duration.ofDays(1 + random.nextInt(30));
      advance(ahead);
    }
    log("jumps to " + clock.instant());
  }

  private void changeSettings() {
    if (random.nextInt(3) > 0) {
      intervals = randomIntervals();
    }
    if (random.nextInt(3) == 0) {
      List<KeepRules.Rule> rules = new ArrayList<>();
      for (int i = random.nextInt(3); i > 0; i--) {
        int days = 1 + random.nextInt(6);
        String host = i == 1 && random.nextBoolean() ? "*" : "h" + random.nextInt(HOSTS);
        int values = Math.max(1, days - 2 + random.nextInt(6));
        if (rules.stream().noneMatch(rule -> rule.host().equals(host))) { // else it never applies
          rules.add(new KeepRules.Rule(host, days, values));
        }
      }
      model.rules = new KeepRules(rules);
    }
    note("  " + intervals + " " + model.rules.text(intervals));
  }

  private void reopen() {
    log("reopen");
    db.close();
    changeSettings();
    db = open();
  }

  @Override
  public void close() {
    if (!mayDie) {
      db.close();
    }
  }
}
