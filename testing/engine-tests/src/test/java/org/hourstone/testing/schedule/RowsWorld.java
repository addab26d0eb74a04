package org.hourstone.testing.schedule;

import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.hourstone.Tables;
import org.hourstone.codec.CorruptDataException;
import org.hourstone.codec.DuplicatePolicy;
import org.hourstone.codec.RowDecoder;
import org.hourstone.codec.RowPoints;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.SchemaMode;
import org.hourstone.testing.schedule.Register.Rank;
import org.hourstone.tool.CopyException;
import org.jspecify.annotations.Nullable;

/**
 * One row of data that is written, compacted, repaired, deleted from, checked and copied into.
 * Unless it is empty at first, it has a single cell, a cell of several points as OpenTSDB's batches
 * leave it (which fsck repairs), and an append cell that is not sorted.
 *
 * <p>What must be true after every change of the store, and at the end: each point has a value that
 * was given to it, unless an acknowledged operation began after that one had ended and gave it
 * another or deleted it. At the end, what is written then is read.
 */
final class RowsWorld extends World {
  static final Tables TABLES = new Tables("tsdb", "tsdb-uid", "tsdb-meta", "tsdb-tree");
  static final Family FAMILY = TABLES.points();

  /** 2012-12-31T23:00:00Z. */
  static final long HOUR = 1_356_994_800;

  static final byte[] ROW = hex("01" + Long.toHexString(HOUR) + "0101");
  private static final Operation INITIAL = Operation.initial();

  private final Map<Integer, Register<Long>> points = new TreeMap<>();
  final RowActors actors = new RowActors(this);

  /** How the row is at first. */
  enum Start {
    /** There is none. */
    EMPTY,
    /** Three cells, one after the other. */
    CELLS,
    /** The first of the cells is put with a write time of an hour from now, as of a copy. */
    AHEAD
  }

  RowsWorld(Personality personality, Start start) {
    super(personality, (HOUR + 7200) * 1000, 1);
    store().ensure(TABLES.families(), SchemaMode.CREATE);
    actors.names(store());
    for (int second = 0; second < 8; second++) {
      point(second).set(INITIAL, start == Start.EMPTY || second > 4 ? null : 4L + second);
    }
    if (start == Start.EMPTY) {
      return;
    }
    if (start == Start.CELLS) {
      store().put(FAMILY, ROW, hex("0000"), hex("04"));
    } else {
      actors.putDated(store(), "0000", "04", millis() + 3_600_000);
    }
    store().put(FAMILY, ROW, hex("00100020"), hex("0506"));
    store().append(FAMILY, ROW, hex("050000"), hex("004008"));
    store().append(FAMILY, ROW, hex("050000"), hex("003007"));
    advance(10_000);
  }

  static byte[] hex(String digits) {
    return HexFormat.of().parseHex(digits);
  }

  private Register<Long> point(int second) {
    return points.computeIfAbsent(second, any -> new Register<>());
  }

  private void set(Operation by, Map<Integer, Long> values) {
    values.forEach((second, value) -> point(second).set(by, value));
  }

  /** Adds an actor that writes points, again and again while that may help. */
  void writer(String name, Map<Integer, Long> values, Change change) {
    SimulatedProcess process = SimulatedProcess.alone(name);
    KeyValueStore store = storeOf(process);
    actor(
        name,
        process,
        () -> {
          Operation operation = new Operation(name, process);
          set(operation, values);
          perform(operation, () -> actors.write(store, new RowMutation(ROW, change)));
        });
  }

  /** Adds an actor that deletes the points of some seconds, inclusive. */
  void deleter(String name, int from, int to, RowActors.RowTask task) {
    SimulatedProcess process = SimulatedProcess.alone(name);
    KeyValueStore store = storeOf(process);
    actor(
        name,
        process,
        () -> {
          Operation operation = new Operation(name, process);
          for (int second = from; second <= to; second++) {
            point(second).set(operation, null);
          }
          perform(operation, () -> task.run(store));
        });
  }

  /** Adds an actor that copies points of long ago. */
  void copier(String name, Map<Integer, Long> values, RowActors.RowTask task) {
    SimulatedProcess process = SimulatedProcess.alone(name);
    KeyValueStore store = storeOf(process);
    actor(
        name,
        process,
        () -> {
          Operation operation = new Operation(name, process);
          values.forEach((second, value) -> point(second).set(operation, value, Rank.EARLIER));
          perform(operation, () -> task.run(store));
        });
  }

  /** Adds an actor that must not change what is read. */
  void keeper(String name, RowActors.RowTask task) {
    SimulatedProcess process = SimulatedProcess.alone(name);
    KeyValueStore store = storeOf(process);
    actor(name, process, () -> perform(new Operation(name, process), () -> task.run(store)));
  }

  @Override
  boolean isScheduled(Family family) {
    return family.equals(FAMILY);
  }

  @Override
  boolean isAnswer(RuntimeException e) {
    return e instanceof CopyException;
  }

  @Override
  void changed(Step step) {
    check();
  }

  @Override
  void verify(Choices choices) {
    check();
    Operation last = new Operation("last", null);
    last.start = schedule().now();
    last.end = schedule().now();
    last.acknowledged = true;
    operations().add(last);
    for (int second : List.of(0, 1, 3, 6)) {
      point(second).set(last, 99L);
      String offset = HexFormat.of().toHexDigits((short) (second << 4));
      store().put(FAMILY, ROW, hex(offset), hex("63"));
    }
    check();
  }

  private void check() {
    Map<Integer, Long> read = new TreeMap<>();
    RowPoints decoded = decode(store().get(FAMILY, ROW, Columns.all()));
    for (int i = 0; i < decoded.size(); i++) {
      if (decoded.offset(i) % 1000 != 0 || !points.containsKey(decoded.offset(i) / 1000)) {
        throw new AssertionError("a point that no operation wrote, at " + decoded.offset(i));
      }
      read.put(decoded.offset(i) / 1000, decoded.raw(i));
    }
    points.forEach(
        (second, point) -> {
          @Nullable Long value = read.get(second);
          if (!point.allows(value)) {
            throw new AssertionError(
                "second "
                    + second
                    + " is "
                    + value
                    + ", but was set to "
                    + point
                    + "; the row is "
                    + ScheduledStore.text(store().get(FAMILY, ROW, Columns.all())));
          }
        });
  }

  static RowPoints decode(Row row) {
    RowDecoder decoder = new RowDecoder(DuplicatePolicy.NEWEST_WINS, false);
    decoder.start();
    for (int i = 0; i < row.size(); i++) {
      decoder.add(row.qualifier(i), row.value(i), row.writeTime(i));
    }
    RowPoints points = new RowPoints();
    try {
      decoder.finish(points);
    } catch (CorruptDataException e) {
      throw new AssertionError("the row can't be read: " + ScheduledStore.text(row), e);
    }
    return points;
  }
}
