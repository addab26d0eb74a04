package org.hourstone.kv.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.FamilyCodec;
import org.hourstone.kv.FamilySpec;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.kv.SchemaMode;
import org.hourstone.testkit.StoreFixture;
import org.hourstone.testkit.store.ModelStore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Cells that share a place, one in it or all, against the model of a store. */
class CodedCellsTest {
  private static final Family FAMILY = new Family("tsdb", "t");
  private static final long SEED = Long.getLong("hourstone.contract.seed", 20261123);
  private static final int STEPS = Integer.getInteger("hourstone.contract.scripts", 40) * 100;
  private static final int[] BYTES = {0, 1, 0xFE, 0xFF};

  @TempDir Path directory;

  private final Random random = new Random(SEED);

  /** What was read last, from the store and from the model. */
  private Row observed = Row.empty(new byte[1]);

  private Row ideal = observed;

  @Test
  void cellsThatShareAPlaceAreThoseOfTheModel() {
    assertThatCellsAreThoseOfTheModel(new MirrorCodec());
  }

  @Test
  void cellsThatAreCodedTogetherAreThoseOfTheModel() {
    assertThatCellsAreThoseOfTheModel(new MirrorsCodec());
  }

  private void assertThatCellsAreThoseOfTheModel(FamilyCodec codec) {
    StoreFixture fixture = StoreFixture.in(directory, SEED);
    KeyValueStore store = open(fixture, codec);
    try (KeyValueStore model = new ModelStore(fixture.clock())) {
      model.ensure(List.of(new FamilySpec(FAMILY, true)), SchemaMode.CREATE);
      for (int step = 0; step < STEPS; step++) {
        fixture.clock().advance(Duration.ofSeconds(1));
        if (random.nextInt(200) == 0) {
          store.close();
          store = open(fixture, codec);
        }
        if (random.nextInt(3) == 0) {
          read(store, model, step);
        } else {
          write(store, model, step);
        }
      }
    } finally {
      store.close();
    }
  }

  private static KeyValueStore open(StoreFixture fixture, FamilyCodec codec) {
    KeyValueStore store = new CodingStore(fixture.directory(), fixture.options(), codec);
    store.ensure(List.of(new FamilySpec(FAMILY, true)), SchemaMode.CREATE);
    return store;
  }

  private void write(KeyValueStore store, KeyValueStore model, int step) {
    byte[] row = row();
    byte[] qualifier = qualifier();
    switch (random.nextInt(8)) {
      case 0 -> {
        byte[] expected = model.get(FAMILY, row, Columns.exactly(qualifier)).find(qualifier);
        expected = expected != null && expected.length == 0 ? value(1) : expected;
        byte[] update = random.nextBoolean() ? null : value(1);
        same(
            store.compareAndSet(FAMILY, row, qualifier, expected, update),
            model.compareAndSet(FAMILY, row, qualifier, expected, update),
            step);
      }
      case 1 -> {
        Row before = model.get(FAMILY, row, Columns.exactly(qualifier));
        if (before.isEmpty() || before.value(0).length == 8) {
          same(
              store.increment(FAMILY, row, qualifier, step),
              model.increment(FAMILY, row, qualifier, step),
              step);
        }
      }
      case 2, 3 -> {
        List<Cell> replacement = new ArrayList<>();
        for (byte[] each : qualifiers(4)) {
          long time = random.nextInt(4) == 0 ? date() : Cell.STORE_TIME;
          replacement.add(new Cell(each, value(0), time));
        }
        same(
            store.replaceCells(FAMILY, observed, replacement),
            model.replaceCells(FAMILY, ideal, replacement),
            step);
      }
      default -> {
        List<RowMutation> batch = new ArrayList<>();
        Set<Bytes> rows = new TreeSet<>();
        for (int i = 0; i <= random.nextInt(4); i++) {
          Bytes each = new Bytes(row());
          if (rows.add(each)) {
            batch.add(new RowMutation(each.array(), changes()));
          }
        }
        store.mutate(FAMILY, batch);
        model.mutate(FAMILY, batch);
      }
    }
  }

  private List<Change> changes() {
    if (random.nextInt(20) == 0) {
      return List.of(new Change.DeleteRow());
    }
    List<Change> changes = new ArrayList<>();
    for (byte[] qualifier : qualifiers(5)) {
      changes.add(
          switch (random.nextInt(5)) {
            case 0, 1 -> new Change.Put(qualifier, value(0));
            case 2 -> new Change.PutIfNewer(qualifier, value(0), date());
            case 3 -> new Change.Append(qualifier, value(1));
            default -> new Change.Delete(qualifier);
          });
    }
    return changes;
  }

  private void read(KeyValueStore store, KeyValueStore model, int step) {
    Columns columns = columns();
    byte[] row = row();
    observed = store.get(FAMILY, row, columns);
    ideal = model.get(FAMILY, row, columns);
    same(observed, ideal, step);
    List<byte[]> rows = List.of(row(), row(), row());
    List<Row> found = store.get(FAMILY, rows, columns);
    List<Row> expected = model.get(FAMILY, rows, columns);
    for (int i = 0; i < rows.size(); i++) {
      same(found.get(i), expected.get(i), step);
    }
    try (RowCursor cursor = store.scan(FAMILY, Scan.all().columns(columns));
        RowCursor all = model.scan(FAMILY, Scan.all().columns(columns))) {
      Row next;
      do {
        next = all.next();
        same(cursor.next(), next, step);
      } while (next != null);
    }
  }

  private static void same(@Nullable Object found, @Nullable Object expected, int step) {
    assertThat(text(found)).as("seed %d, step %d", SEED, step).isEqualTo(text(expected));
  }

  /** With write times in seconds: the stores date the rows of a batch differently. */
  private static String text(@Nullable Object result) {
    if (!(result instanceof Row row)) {
      return String.valueOf(result);
    }
    StringBuilder text = new StringBuilder(new Bytes(row.key()).toString());
    for (int i = 0; i < row.size(); i++) {
      text.append(' ').append(new Bytes(row.qualifier(i)));
      text.append('=').append(new Bytes(row.value(i)));
      text.append('@').append(row.writeTime(i) / 1000);
    }
    return text.toString();
  }

  private Columns columns() {
    if (random.nextInt(3) == 0) {
      return Columns.exactly(qualifiers(3).toArray(byte[][]::new));
    }
    if (random.nextInt(3) == 0) {
      return Columns.allAsStored();
    }
    byte[] start = random.nextBoolean() ? new byte[0] : qualifier();
    byte[] stop = random.nextBoolean() ? null : qualifier();
    return random.nextInt(3) == 0 ? Columns.all() : new Columns.Range(start, stop);
  }

  private long date() {
    return random.nextInt(1000) * 1000L;
  }

  private byte[] row() {
    return new byte[] {(byte) random.nextInt(3)};
  }

  /** Different ones in any order, at least one. */
  private List<byte[]> qualifiers(int most) {
    List<byte[]> qualifiers = new ArrayList<>();
    Set<Bytes> taken = new TreeSet<>();
    for (int i = random.nextInt(most); i >= 0; i--) {
      byte[] qualifier = qualifier();
      if (taken.add(new Bytes(qualifier))) {
        qualifiers.add(qualifier);
      }
    }
    return qualifiers;
  }

  /** Mostly of 6 bytes or more; few differ, and few differ early. */
  private byte[] qualifier() {
    byte[] qualifier = new byte[random.nextInt(3) == 0 ? random.nextInt(6) : 6 + random.nextInt(2)];
    boolean high = random.nextBoolean();
    for (int i = 0; i < qualifier.length; i++) {
      boolean same = i < 2 || i > 4;
      int first = random.nextInt(6) == 0 ? 1 : 0;
      qualifier[i] = (byte) (same ? first : high ? 0xFF : BYTES[random.nextInt(4)]);
    }
    return qualifier;
  }

  private byte[] value(int least) {
    int most = random.nextInt(10) == 0 ? 1000 : 12;
    byte[] value = new byte[random.nextInt(4) == 0 ? 8 : least + random.nextInt(most)];
    random.nextBytes(value);
    return value;
  }
}
