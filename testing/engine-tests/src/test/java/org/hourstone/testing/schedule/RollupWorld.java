package org.hourstone.testing.schedule;

import static org.hourstone.testing.schedule.RowsWorld.FAMILY;
import static org.hourstone.testing.schedule.RowsWorld.HOUR;
import static org.hourstone.testing.schedule.RowsWorld.ROW;
import static org.hourstone.testing.schedule.RowsWorld.hex;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.hourstone.codec.DuplicatePolicy;
import org.hourstone.codec.RowKey;
import org.hourstone.codec.Schema;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.FamilySpec;
import org.hourstone.kv.KeyValueReader;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.SchemaMode;
import org.hourstone.rollup.HourRange;
import org.hourstone.rollup.MarkingStore;
import org.hourstone.rollup.OwnRollups;
import org.hourstone.rollup.RolledHours;
import org.hourstone.rollup.RollupInterval;
import org.hourstone.rollup.RollupPlan;
import org.jspecify.annotations.Nullable;

/**
 * An hour of a series that is rolled up while threads of the same process put points into it,
 * delete some, and read their sum as queries do. The value of each point is another power of two,
 * so a sum says which points it is of.
 *
 * <p>What must be true after every change of the store, and at the end: if the hour's values may be
 * read instead of its points, they are of these points, and so are those of its day. At the end, or
 * after the process has died, the next process rolls up what is left.
 */
final class RollupWorld extends World {
  private static final Family STATE = new Family("tsdb-rollup-state", "r");
  private static final RowKey KEYS = new RowKey(new Schema(1, 1, 1, 0, 20, 8));
  private static final byte[] METRIC = {1};
  private static final HourRange RANGE = new HourRange(HOUR, HOUR + 3600);
  private static final List<String> INTERVALS = List.of("1h", "1d");
  private static final RollupPlan PLAN =
      RollupPlan.of(RollupPlan.configuration(INTERVALS, FAMILY.table()), INTERVALS);
  private static final int SECONDS = 3;

  private final List<Register<Long>> points = new ArrayList<>();
  private final List<Reading> readings = new ArrayList<>();
  private final SimulatedProcess process = SimulatedProcess.shared("p");
  private final Shared shared;

  /** How the hour is at first. */
  enum Start {
    /** It has a point. */
    NEW,
    /** It was rolled up. */
    DONE,
    /** It has another point since. */
    CHANGED
  }

  /** What the threads of a process share. */
  private final class Shared {
    final RolledHours hours;
    final MarkingStore store;
    final OwnRollups rollups;

    Shared(KeyValueStore over) {
      hours = new RolledHours(over, STATE, KEYS);
      store = new MarkingStore(over, hours, FAMILY);
      rollups =
          OwnRollups.of(
              PLAN,
              hours,
              over,
              over,
              FAMILY,
              KEYS,
              row -> false,
              range -> false,
              DuplicatePolicy.NEWEST_WINS,
              RollupWorld.this);
    }

    void roll() {
      var unused = rollups.run(() -> false, done -> {}, rows -> {});
    }

    void change(Change change) {
      store.mutate(FAMILY, List.of(new RowMutation(ROW, change)));
    }

    /** The sum of the points, as a query takes it from either. */
    long read() {
      return mayReadValues(hours) ? sumOfValues(store, "1h") : sumOfPoints(store);
    }
  }

  /** Which points may be in what is read, as it was at any time since the reading began. */
  private final class Reading {
    private final boolean[] mayBe = new boolean[SECONDS];
    private final boolean[] mayBeAbsent = new boolean[SECONDS];

    void look() {
      for (int second = 0; second < SECONDS; second++) {
        mayBe[second] |= points.get(second).allows(value(second));
        mayBeAbsent[second] |= points.get(second).allows(null);
      }
    }

    void check(long sum) {
      for (int second = 0; second < SECONDS; second++) {
        boolean isIn = (sum & value(second)) != 0;
        if (isIn ? !mayBe[second] : !mayBeAbsent[second]) {
          throw new AssertionError(
              "the sum " + sum + " was read, and second " + second + " " + points.get(second));
        }
      }
    }
  }

  RollupWorld(Personality personality, Start start) {
    super(personality, (HOUR + 600) * 1000, 1);
    List<FamilySpec> families = new ArrayList<>(RowsWorld.TABLES.families());
    families.add(new FamilySpec(STATE, false));
    PLAN.longestFirst().forEach(each -> families.add(new FamilySpec(values(each), false)));
    store().ensure(families, SchemaMode.CREATE);
    Operation initial = Operation.initial();
    Shared before = new Shared(store());
    for (int second = 0; second < SECONDS; second++) {
      points.add(new Register<>());
      boolean isThere = second == 0 || (second == 1 && start == Start.CHANGED);
      points.get(second).set(initial, isThere ? value(second) : null);
    }
    before.roll(); // all that is before the hour
    before.change(put(0));
    advance(4_800_000);
    if (start != Start.NEW) {
      before.roll();
    }
    if (start == Start.CHANGED) {
      before.change(put(1));
    }
    shared = new Shared(storeOf(process));
  }

  private static Family values(RollupInterval interval) {
    return new Family(interval.table(), FAMILY.name());
  }

  private static long value(int second) {
    return 1L << second;
  }

  private static byte[] qualifier(int second) {
    return hex(HexFormat.of().toHexDigits((short) (second << 4)));
  }

  private static Change put(int second) {
    return new Change.Put(qualifier(second), new byte[] {(byte) value(second)});
  }

  void rolls(String name) {
    actor(name, process, () -> perform(new Operation(name, process), shared::roll));
  }

  /** Puts points, one after the other. */
  void puts(String name, int... seconds) {
    actor(
        name,
        process,
        () -> {
          for (int second : seconds) {
            change(name, second, value(second), put(second));
          }
        });
  }

  void deletes(String name, int second) {
    actor(name, process, () -> change(name, second, null, new Change.Delete(qualifier(second))));
  }

  private void change(String name, int second, @Nullable Long to, Change change) {
    Operation operation = new Operation(name, process);
    points.get(second).set(operation, to);
    perform(operation, () -> shared.change(change));
  }

  void reads(String name) {
    actor(
        name,
        process,
        () -> {
          Reading reading = new Reading();
          readings.add(reading);
          perform(
              new Operation(name, process),
              () -> {
                reading.look();
                long sum = shared.read();
                reading.look();
                reading.check(sum);
              });
        });
  }

  @Override
  boolean isScheduled(Family family) {
    return true;
  }

  @Override
  boolean isAnswer(RuntimeException e) {
    return false;
  }

  @Override
  void changed(Step step) {
    readings.forEach(Reading::look);
    check();
  }

  @Override
  void verify(Choices choices) {
    check();
    Shared next = new Shared(store());
    next.roll();
    if (!mayReadValues(next.hours)) {
      throw new AssertionError("the next process has not rolled up the hour");
    }
    check();
  }

  private void check() {
    long sum = sumOfPoints(store());
    Reading now = new Reading();
    now.look();
    now.check(sum);
    if (mayReadValues(new RolledHours(store(), STATE, KEYS))) {
      for (String interval : INTERVALS) {
        long rolled = sumOfValues(store(), interval);
        if (rolled != sum) {
          throw new AssertionError(interval + " has the sum " + rolled + " of points " + sum);
        }
      }
    }
  }

  private static boolean mayReadValues(RolledHours hours) {
    return hours.done().contains(HOUR)
        && hours.forEachUnusable(METRIC, RANGE, row -> false, () -> {}, row -> false, row -> true);
  }

  private static long sumOfPoints(KeyValueReader store) {
    Row row = store.get(FAMILY, ROW, Columns.all());
    long sum = 0;
    for (int i = 0; i < row.size(); i++) {
      sum += row.value(i)[0];
    }
    return sum;
  }

  /** The sum of the only hour or day. */
  private static long sumOfValues(KeyValueReader store, String name) {
    RollupInterval interval =
        PLAN.longestFirst().stream()
            .filter(each -> each.name().equals(name))
            .findFirst()
            .orElseThrow();
    byte[] key = KEYS.rowKey(KEYS.tsuid(ROW), interval.baseTime(HOUR));
    Row row = store.get(values(interval), key, Columns.allAsStored());
    return row.isEmpty() ? 0 : row.value(0)[row.value(0).length - 1];
  }
}
