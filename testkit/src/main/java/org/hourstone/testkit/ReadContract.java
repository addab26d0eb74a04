package org.hourstone.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hourstone.testkit.Binary.bytes;
import static org.hourstone.testkit.Binary.hex;
import static org.hourstone.testkit.Binary.trickyKey;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.Limits;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.junit.jupiter.api.Test;

/** Reading single rows and lists of rows; how rows and cells are distinguished and ordered. */
public abstract class ReadContract extends StoreContract {
  @Test
  final void anAbsentRowReadsAsAnEmptyRowWithItsKey() {
    Row row = get(bytes("absent"));

    assertThat(row.isEmpty()).isTrue();
    assertThat(row.key()).isEqualTo(bytes("absent"));
  }

  @Test
  final void aCellReadsBackAsItWasPut() {
    put(bytes("row"), hex("00ff80"), hex("ff007f80"));

    Row row = get(bytes("row"));

    assertThat(row.key()).isEqualTo(bytes("row"));
    assertThat(cells(row)).isEqualTo(cells(hex("00ff80"), hex("ff007f80")));
  }

  @Test
  final void anEmptyValueIsACell() {
    put(bytes("row"), bytes("q"), new byte[0]);

    assertThat(cells(get(bytes("row")))).isEqualTo(cells(bytes("q"), new byte[0]));
    assertThat(rows(Scan.all())).hasSize(1);
  }

  @Test
  final void cellsAscendByUnsignedQualifier() {
    List<byte[]> ordered =
        List.of(
            hex("00"),
            hex("0000"),
            hex("0001"),
            hex("007f"),
            hex("0080"),
            hex("00ff"),
            hex("01"),
            hex("7f"),
            hex("7fff"),
            hex("80"),
            hex("8000"),
            hex("ff"),
            hex("ff00"),
            hex("ffff"));
    List<Change> changes = new ArrayList<>();
    for (byte[] qualifier : ordered) {
      changes.add(new Change.Put(qualifier, qualifier));
    }
    Collections.shuffle(changes, new java.util.Random(fixture().seed()));
    store().mutate(family(), List.of(new RowMutation(bytes("row"), changes)));

    assertThat(qualifiers(get(bytes("row")))).isEqualTo(ordered.stream().map(Bytes::new).toList());
  }

  @Test
  final void rowsThatArePrefixesOfOneAnotherStayApart() {
    byte[][] rows = {
      hex("61"), hex("6100"), hex("610000"), hex("6161"), hex("61ff"), hex("61ffff")
    };
    byte[][] qualifiers = {hex("00"), hex("61"), hex("6100"), hex("ff")};
    for (byte[] row : rows) {
      for (byte[] qualifier : qualifiers) {
        put(row, qualifier, bytes(new Bytes(row) + "/" + new Bytes(qualifier)));
      }
    }

    for (byte[] row : rows) {
      Map<Bytes, Bytes> expected = new TreeMap<>();
      for (byte[] qualifier : qualifiers) {
        expected.put(
            new Bytes(qualifier), new Bytes(bytes(new Bytes(row) + "/" + new Bytes(qualifier))));
      }
      assertThat(cells(get(row))).isEqualTo(expected);
    }
  }

  @Test
  final void aRowHoldsThousandsOfCells() {
    int count = 5_000;
    List<Change> changes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      changes.add(new Change.Put(Arrays.copyOfRange(Binary.number(i), 6, 8), Binary.number(i)));
      if (changes.size() == 1_000) {
        store().mutate(family(), List.of(new RowMutation(bytes("wide"), changes)));
        changes = new ArrayList<>();
      }
    }

    Row row = get(bytes("wide"));

    assertThat(row.size()).isEqualTo(count);
    for (int i = 0; i < count; i++) {
      assertThat(Binary.number(row.value(i))).isEqualTo(i);
    }
  }

  @Test
  final void rowKeysMayBeAsLongAsTheyGet() {
    byte[] longest = new byte[Limits.ROW_KEY];
    Arrays.fill(longest, (byte) 0xFF);
    byte[] other = longest.clone();
    other[Limits.ROW_KEY - 1] = 0;
    put(longest, bytes("q"), bytes("longest"));
    put(other, bytes("q"), bytes("other"));

    assertThat(get(longest).find(bytes("q"))).isEqualTo(bytes("longest"));
    assertThat(get(other).find(bytes("q"))).isEqualTo(bytes("other"));
    assertThat(keys(rows(Scan.all()))).containsExactly(new Bytes(other), new Bytes(longest));
  }

  @Test
  final void qualifiersAndValuesMayBeAsLongAsACompactedHour() {
    byte[] qualifier = new byte[16_384];
    byte[] value = new byte[1 << 20];
    RandomGenerator random = random(0);
    random.nextBytes(qualifier);
    random.nextBytes(value);
    put(bytes("row"), qualifier, value);

    Row row = get(bytes("row"));
    assertThat(row.size()).as("cells").isEqualTo(1);
    assertSame(row.qualifier(0), qualifier);
    assertSame(row.value(0), value);
  }

  @Test
  final void everyFormOfColumnsKeepsWhatItsReferenceSays() {
    RandomGenerator random = random(0);
    List<Change> changes = new ArrayList<>();
    Map<Bytes, Bytes> all = new TreeMap<>();
    for (int i = 0; i < 60; i++) {
      byte[] qualifier = trickyKey(random, 3);
      if (all.put(new Bytes(qualifier), new Bytes(qualifier)) == null) {
        changes.add(new Change.Put(qualifier, qualifier));
      }
    }
    store().mutate(family(), List.of(new RowMutation(bytes("row"), changes)));

    for (int round = 0; round < 100; round++) {
      Columns columns = anyColumns(random);
      Map<Bytes, Bytes> expected = new TreeMap<>(all);
      expected.keySet().removeIf(qualifier -> !columns.includes(qualifier.array()));

      Row one = store().get(family(), bytes("row"), columns);
      List<Row> many = store().get(family(), List.of(bytes("row"), bytes("none")), columns);
      List<Row> scanned = rows(Scan.all().columns(columns));

      assertThat(cells(one)).as("get %s", columns).isEqualTo(expected);
      assertThat(cells(many.get(0))).as("multi-get %s", columns).isEqualTo(expected);
      assertThat(many.get(1).isEmpty()).isTrue();
      assertThat(scanned).as("scan %s", columns).hasSize(expected.isEmpty() ? 0 : 1);
      scanned.forEach(row -> assertThat(cells(row)).as("scan").isEqualTo(expected));
    }
  }

  private static Columns anyColumns(RandomGenerator random) {
    return switch (random.nextInt(7)) {
      case 0 -> Columns.all();
      case 6 -> Columns.allAsStored();
      case 1 -> Columns.exactly(trickyKey(random, 3));
      case 2 -> {
        byte[] twice = trickyKey(random, 3);
        yield Columns.exactly(twice, trickyKey(random, 3), trickyKey(random, 3), twice);
      }
      case 3 -> new Columns.Range(trickyKey(random, 3), null);
      case 4 -> new Columns.Range(new byte[0], trickyKey(random, 3));
      default -> new Columns.Range(trickyKey(random, 3), trickyKey(random, 3));
    };
  }

  @Test
  final void aRowWithoutAKeptCellReadsAsEmpty() {
    put(bytes("row"), bytes("q"), bytes("v"));

    Row row = store().get(family(), bytes("row"), Columns.exactly(bytes("p")));

    assertThat(row.isEmpty()).isTrue();
    assertThat(row.key()).isEqualTo(bytes("row"));
  }

  @Test
  final void rowsComeBackInTheOrderAskedForAbsentAndRepeatedOnesToo() {
    put(bytes("a"), bytes("q"), bytes("1"));
    put(bytes("b"), bytes("q"), bytes("2"));
    List<byte[]> asked =
        List.of(bytes("b"), bytes("none"), bytes("a"), bytes("b"), bytes("absent"));

    for (Columns columns : List.of(Columns.all(), Columns.exactly(bytes("q")))) {
      List<Row> rows = store().get(family(), asked, columns);

      assertThat(keys(rows)).isEqualTo(asked.stream().map(Bytes::new).toList());
      assertThat(rows.stream().map(row -> row.find(bytes("q"))))
          .as("%s", columns)
          .containsExactly(bytes("2"), null, bytes("1"), bytes("2"), null);
    }
  }

  @Test
  final void noRowsAskedForAreNoRows() {
    assertThat(store().get(family(), List.of(), Columns.all())).isEmpty();
  }

  @Test
  final void manyRowsCanBeReadAtOnce() {
    List<RowMutation> batch = new ArrayList<>();
    List<byte[]> asked = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      batch.add(new RowMutation(Binary.number(i), new Change.Put(bytes("q"), Binary.number(-i))));
      asked.add(Binary.number(i));
    }
    store().mutate(family(), batch);

    List<Row> rows = store().get(family(), asked, Columns.all());

    assertThat(rows.size()).as("rows read of 1,000").isEqualTo(1_000);
    for (int i = 0; i < 1_000; i++) {
      assertThat(rows.get(i).find(bytes("q"))).as("row %d", i).isEqualTo(Binary.number(-i));
    }
  }

  @Test
  final void exactlyMayNameManyCellsAndTheEmptyOne() {
    int count = 40_000;
    List<Change> changes = new ArrayList<>();
    byte[][] names = new byte[count + 1][];
    for (int i = 0; i < count; i++) {
      names[i] = Binary.number(i);
      changes.add(new Change.Put(names[i], bytes("v")));
    }
    names[count] = new byte[0];
    changes.add(new Change.Put(names[count], bytes("v")));
    changes.add(new Change.Put(bytes("other"), bytes("v")));
    store().mutate(family(), List.of(new RowMutation(bytes("row"), changes)));

    for (Columns columns :
        List.of(
            Columns.exactly(names),
            Columns.exactly(names[count], names[7]),
            Columns.exactly(names[count]))) {
      int expected = ((Columns.Exact) columns).qualifiers().size();
      assertThat(store().get(family(), bytes("row"), columns).size())
          .as("cells of a get that names %d", expected)
          .isEqualTo(expected);
      assertThat(rows(Scan.all().columns(columns)).get(0).size())
          .as("cells of a scan that names %d", expected)
          .isEqualTo(expected);
    }
  }

  /** A stop that is empty is before every cell; null is the one that is after all. */
  @Test
  final void aRangeOfColumnsUntilTheEmptyQualifierIsEmpty() {
    put(bytes("row"), new byte[0], bytes("v"));
    put(bytes("row"), bytes("q"), bytes("v"));
    Columns none = new Columns.Range(new byte[0], new byte[0]);
    Columns all = new Columns.Range(new byte[0], null);

    assertThat(store().get(family(), bytes("row"), none).size()).isZero();
    assertThat(rows(Scan.all().columns(none))).isEmpty();
    assertThat(store().get(family(), bytes("row"), all).size()).isEqualTo(2);
  }

  @Test
  final void familiesDoNotShareRows() {
    Family sameTable = new Family(family().table(), "u");
    Family otherTable = new Family(family().table() + "2", family().name());
    create(sameTable, otherTable);
    store().put(family(), bytes("row"), bytes("q"), bytes("1"));
    store().put(sameTable, bytes("row"), bytes("q"), bytes("2"));
    store().put(otherTable, bytes("row"), bytes("q"), bytes("3"));
    store().mutate(sameTable, List.of(new RowMutation(bytes("row"), new Change.DeleteRow())));

    assertThat(get(bytes("row")).find(bytes("q"))).isEqualTo(bytes("1"));
    assertThat(store().get(sameTable, bytes("row"), Columns.all()).isEmpty()).isTrue();
    assertThat(rows(store(), sameTable, Scan.all())).isEmpty();
    assertThat(store().get(otherTable, bytes("row"), Columns.all()).find(bytes("q")))
        .isEqualTo(bytes("3"));
  }

  @Test
  final void readsOfAMissingFamilyAreRejectedNamingIt() {
    Family sameTable = new Family(family().table(), "absent");
    for (Family absent : List.of(missing(), sameTable)) {
      assertRejected(
          "get",
          () -> store().get(absent, bytes("row"), Columns.all()),
          absent.table(),
          absent.name());
      assertRejected(
          "get of several rows",
          () -> store().get(absent, List.of(bytes("row")), Columns.all()),
          absent.table(),
          absent.name());
      assertRejected(
          "scan", () -> rows(store(), absent, Scan.all()), absent.table(), absent.name());
    }
  }

  @Test
  final void anEmptyRowKeyCannotBeRead() {
    assertIllegal("get of an empty key", () -> store().get(family(), new byte[0], Columns.all()));
    assertIllegal(
        "get of an empty key among others",
        () -> store().get(family(), List.of(bytes("row"), new byte[0]), Columns.all()));
  }

  @Test
  final void aRowThatWasReadDoesNotChangeWithTheStore() {
    put(bytes("row"), bytes("q"), bytes("before"));
    Row row = get(bytes("row"));
    long time = row.writeTime(0);

    passTime();
    put(bytes("row"), bytes("q"), bytes("after!"));
    put(bytes("row"), bytes("r"), bytes("more"));

    assertThat(cells(row)).isEqualTo(cells(bytes("q"), bytes("before")));
    assertThat(row.writeTime(0)).isEqualTo(time);
  }

  @Test
  final void keysAskedForMayBeReusedAfterTheRead() {
    put(bytes("row"), bytes("q"), bytes("v"));
    byte[] there = bytes("row");
    byte[] absent = bytes("non");

    Row first = get(there);
    Row second = get(absent);
    List<Row> both = store().get(family(), List.of(there, absent), Columns.all());
    Arrays.fill(there, (byte) 0);
    Arrays.fill(absent, (byte) 0);

    assertThat(keys(List.of(first, second)))
        .containsExactly(new Bytes(bytes("row")), new Bytes(bytes("non")));
    assertThat(keys(both)).containsExactly(new Bytes(bytes("row")), new Bytes(bytes("non")));
  }
}
