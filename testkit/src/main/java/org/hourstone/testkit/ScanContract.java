package org.hourstone.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.hourstone.testkit.Binary.bytes;
import static org.hourstone.testkit.Binary.hex;
import static org.hourstone.testkit.Binary.number;
import static org.hourstone.testkit.Binary.trickyKey;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.FuzzyRow;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.RowPattern;
import org.hourstone.kv.Scan;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Order, bounds, limits and cursors. */
public abstract class ScanContract extends StoreContract {
  @Test
  final void rowsAscendByUnsignedKey() {
    List<Bytes> ordered = new ArrayList<>();
    for (String key :
        List.of(
            "00", "0000", "0001", "007f", "0080", "00ff", "01", "7f", "7fff", "80", "8000", "ff",
            "ff00", "ffff")) {
      ordered.add(new Bytes(hex(key)));
    }
    List<Bytes> shuffled = new ArrayList<>(ordered);
    Collections.shuffle(shuffled, new java.util.Random(fixture().seed()));
    putRows(shuffled);

    assertThat(keys(rows(Scan.all()))).isEqualTo(ordered);
  }

  @Test
  final void aRangeHasItsStartAndNotItsStop() {
    putRows("b", "d", "f", "h");

    assertThat(scanned(bytes("d"), bytes("h"))).isEqualTo("d f");
    assertThat(scanned(bytes("c"), bytes("g"))).isEqualTo("d f");
    assertThat(scanned(bytes("d"), bytes("d\0"))).isEqualTo("d");
    assertThat(scanned(bytes("d"), bytes("d"))).isEmpty();
    assertThat(scanned(new byte[0], bytes("d"))).isEqualTo("b");
    assertThat(scanned(new byte[0], new byte[0])).isEmpty();
    assertThat(scanned(bytes("d"), null)).isEqualTo("d f h");
    assertThat(scanned(bytes("i"), null)).isEmpty();
    assertThat(scanned(new byte[0], null)).isEqualTo("b d f h");
  }

  @Test
  final void aPrefixHasTheKeysThatStartWithIt() {
    List<Bytes> keys = new ArrayList<>();
    for (String key : List.of("61", "6161", "61ff", "61ffff", "62", "fe", "ff", "ff00", "ffff")) {
      keys.add(new Bytes(hex(key)));
    }
    putRows(keys);

    for (String prefix : List.of("61", "61ff", "ff", "ffff", "63", "")) {
      List<Bytes> expected = new ArrayList<>(keys);
      expected.removeIf(key -> !key.toString().startsWith(prefix));
      assertThat(keys(rows(Scan.prefix(hex(prefix))))).as("prefix %s", prefix).isEqualTo(expected);
    }
  }

  @Test
  final void aLimitCountsTheRowsDelivered() {
    for (int i = 0; i < 20; i++) {
      put(hex("%02x".formatted(i)), i % 2 == 0 ? bytes("even") : bytes("odd"), bytes("v"));
    }
    FuzzyRow all = new FuzzyRow(hex("00"), new boolean[] {false});
    FuzzyRow five = new FuzzyRow(hex("05"), new boolean[] {true});
    Scan odd = Scan.all().columns(Columns.exactly(bytes("odd")));

    assertThat(rows(Scan.all().limit(7))).hasSize(7);
    assertThat(rows(Scan.all().limit(20))).hasSize(20);
    assertThat(rows(Scan.all().limit(21))).hasSize(20);
    assertThat(keys(rows(odd.limit(3))))
        .containsExactly(new Bytes(hex("01")), new Bytes(hex("03")), new Bytes(hex("05")));
    assertThat(rows(odd.filter(all).limit(9).rowsPerFetch(2))).hasSize(9);
    assertThat(keys(rows(Scan.all().filter(five).limit(1)))).containsExactly(new Bytes(hex("05")));
  }

  @Test
  final void rowsWithoutAKeptCellAreSkipped() {
    put(bytes("a"), bytes("q"), bytes("1"));
    put(bytes("b"), bytes("p"), bytes("2"));
    put(bytes("c"), bytes("q"), bytes("3"));

    List<Row> rows = rows(Scan.all().columns(Columns.exactly(bytes("q"))).rowsPerFetch(1));

    assertThat(keys(rows)).containsExactly(new Bytes(bytes("a")), new Bytes(bytes("c")));
  }

  /** Others may be left out, or not. */
  @Test
  final void cellsWrittenSinceATimeAreNotLeftOut() {
    put(bytes("a"), bytes("q"), bytes("early"));
    put(bytes("b"), bytes("q"), bytes("early"));
    passTime();
    put(bytes("b"), bytes("r"), bytes("late"));
    passTime();
    put(bytes("c"), bytes("q"), bytes("late"));
    Row written = get(bytes("b"));
    long since = written.writeTime(written.indexOf(bytes("r")));

    List<Row> rows = rows(Scan.all().writtenSince(since));

    assertThat(rows)
        .filteredOn(row -> !Arrays.equals(row.key(), bytes("a")))
        .map(row -> new Bytes(row.key()) + " " + new Bytes(row.value(row.size() - 1)))
        .containsExactly(
            new Bytes(bytes("b")) + " " + new Bytes(bytes("late")),
            new Bytes(bytes("c")) + " " + new Bytes(bytes("late")));
    assertThat(rows(Scan.all().writtenSince(0))).hasSize(3);
  }

  @Test
  final void anEmptyFamilyHasNoRows() {
    assertThat(rows(Scan.all())).isEmpty();
  }

  @Test
  final void randomScansAgreeWithASortedSet() {
    RandomGenerator random = random(0);
    NavigableSet<Bytes> model = new TreeSet<>();
    List<RowMutation> batch = new ArrayList<>();
    while (model.size() < 400) {
      byte[] key = trickyKey(random, 6);
      if (model.add(new Bytes(key))) {
        batch.add(new RowMutation(key, new Change.Put(bytes("q"), key)));
      }
    }
    store().mutate(family(), batch);

    for (int round = 0; round < 150; round++) {
      byte[] start = random.nextInt(4) == 0 ? new byte[0] : trickyKey(random, 6);
      byte[] stop = random.nextInt(4) == 0 ? null : trickyKey(random, 6);
      if (stop != null && Arrays.compareUnsigned(start, stop) > 0) {
        byte[] swap = start;
        start = stop;
        stop = swap;
      }
      long limit = random.nextInt(3) == 0 ? random.nextLong(1, 51) : Scan.NO_LIMIT;
      NavigableSet<Bytes> from = model.tailSet(new Bytes(start), true);
      List<Bytes> expected =
          (stop == null ? from : from.headSet(new Bytes(stop), false))
              .stream().limit(limit).toList();
      Scan scan = Scan.range(start, stop).limit(limit).rowsPerFetch(1 + random.nextInt(40));

      List<Row> rows = rows(scan);

      assertThat(keys(rows)).as("%s to %s", new Bytes(start), stop).isEqualTo(expected);
      rows.forEach(row -> assertThat(row.find(bytes("q"))).isEqualTo(row.key()));
    }
  }

  @Test
  final void everyRowIsDeliveredWholeWhateverTheFetchSize() {
    for (int row = 0; row < 5; row++) {
      List<Change> changes = new ArrayList<>();
      for (int i = 0; i < 700 * row + 1; i++) {
        changes.add(new Change.Put(number(i), number(row)));
      }
      store().mutate(family(), List.of(new RowMutation(number(row), changes)));
    }

    for (int rowsPerFetch : new int[] {1, 2, 3, 1_000}) {
      List<Row> rows = rows(Scan.all().rowsPerFetch(rowsPerFetch));
      assertThat(rows.stream().map(Row::size)).containsExactly(1, 701, 1401, 2101, 2801);
    }
  }

  @Test
  final void anyFetchSizeDeliversEveryRow() {
    for (int i = 0; i < 300; i++) {
      put(number(i), bytes("q"), number(i));
    }

    for (int rows : new int[] {1, 299, 300, 301, Integer.MAX_VALUE - 1, Integer.MAX_VALUE}) {
      assertThat(keys(rows(Scan.all().rowsPerFetch(rows))))
          .as("rows in fetches of %d", rows)
          .hasSize(300)
          .isSorted()
          .doesNotHaveDuplicates();
      assertThat(rows(Scan.all().rowsPerFetch(rows).limit(7))).hasSize(7);
    }
  }

  /**
   * Rows that are read and not returned are counted for the check, whether a filter or the columns
   * skip them; an exception of the check ends the call and is not wrapped.
   */
  @Test
  final void theCheckOfAScanEndsIt() {
    List<RowMutation> batch = new ArrayList<>();
    for (int i = 0; i < 3 * Scan.ROWS_PER_CHECK; i++) {
      batch.add(new RowMutation(number(i), new Change.Put(bytes("q"), bytes("v"))));
    }
    byte[] last = number(batch.size());
    batch.add(new RowMutation(last, new Change.Put(bytes("last"), bytes("v"))));
    store().mutate(family(), batch);
    RowPattern.Term term =
        new RowPattern.Term(
            new byte[] {last[6]}, RowPattern.Presence.ONE_OF, List.of(new byte[] {last[7]}));

    assertChecked("exactly", Scan.all().columns(Columns.exactly(bytes("last"))), last);
    assertChecked("range", Scan.all().columns(new Columns.Range(bytes("l"), bytes("m"))), last);
    assertChecked("filter", Scan.all().filter(new RowPattern(6, 1, 1, List.of(term), false)), last);
  }

  private void assertChecked(String what, Scan scan, byte[] last) {
    AtomicInteger calls = new AtomicInteger();
    assertThat(keys(rows(scan.check(calls::incrementAndGet))))
        .as("rows of a scan whose check does nothing: %s", what)
        .containsExactly(new Bytes(last));
    if (subject().checksScans() && !what.equals("filter")) { // a filter may seek
      assertThat(calls.get())
          .as("calls of the check in a scan that skips %d rows: %s", number(last), what)
          .isBetween(2, 4);
    }
    IllegalStateException cancelled = new IllegalStateException("cancelled");
    Scan ended =
        scan.check(
            () -> {
              throw cancelled;
            });
    if (calls.get() > 0) {
      assertThat(catchThrowable(() -> rows(ended)))
          .as("the end of a scan by its check: %s", what)
          .isSameAs(cancelled);
    }
  }

  @Test
  final void cursorsDoNotDisturbOneAnother() {
    putRows("a", "b", "c", "d");
    RowCursor second = store().scan(family(), Scan.range(bytes("b"), null).rowsPerFetch(1));
    try (RowCursor first = store().scan(family(), Scan.all().rowsPerFetch(1))) {
      assertThat(nextKey(first)).isEqualTo("a");
      assertThat(nextKey(second)).isEqualTo("b");
      assertThat(nextKey(first)).isEqualTo("b");
      second.close();
      assertThat(nextKey(first)).isEqualTo("c");
      assertThat(nextKey(first)).isEqualTo("d");
      assertThat(first.next()).isNull();
    }
  }

  @Test
  final void aCursorMayBeClosedEarlyAndTwice() {
    putRows("a", "b");
    RowCursor untouched = store().scan(family(), Scan.all());
    RowCursor begun = store().scan(family(), Scan.all());
    assertThat(nextKey(begun)).isEqualTo("a");

    for (int times = 0; times < 2; times++) {
      untouched.close();
      begun.close();
    }

    assertThat(rows(Scan.all())).hasSize(2);
  }

  @Test
  final void theBoundsOfAScanMayBeReusedWhileItRuns() {
    putRows("a", "b", "c", "d");
    byte[] start = bytes("b");
    byte[] stop = bytes("d");
    try (RowCursor cursor = store().scan(family(), Scan.range(start, stop).rowsPerFetch(1))) {
      Arrays.fill(start, (byte) 'a');
      Arrays.fill(stop, (byte) 'a');
      assertThat(nextKey(cursor)).isEqualTo("b");
      assertThat(nextKey(cursor)).isEqualTo("c");
      assertThat(cursor.next()).isNull();
    }
  }

  @Test
  final void theColumnsAndFiltersOfAScanMayBeReusedWhileItRuns() {
    for (int i = 0; i < 4; i++) {
      put(new byte[] {(byte) i, 'k', 'v'}, bytes("q"), bytes("v"));
    }
    byte[] qualifier = bytes("q");
    byte[] from = bytes("q");
    byte[] to = bytes("r");
    byte[] key = bytes("k");
    byte[] value = bytes("v");
    byte[] template = bytes("?kv");
    RowPattern.Term term =
        new RowPattern.Term(key, RowPattern.Presence.ONE_OF, new ArrayList<>(List.of(value)));
    List<Scan> scans =
        List.of(
            Scan.all().columns(Columns.exactly(qualifier)),
            Scan.all().columns(new Columns.Range(from, to)),
            Scan.all().filter(new RowPattern(1, 1, 1, new ArrayList<>(List.of(term)), false)),
            Scan.all().filter(new FuzzyRow(template, new boolean[] {false, true, true})));
    List<RowCursor> cursors = new ArrayList<>();
    for (Scan scan : scans) {
      cursors.add(store().scan(family(), scan.rowsPerFetch(1)));
    }
    for (byte[] array : List.of(qualifier, from, to, key, value, template)) {
      Arrays.fill(array, (byte) '!');
    }
    for (RowCursor cursor : cursors) {
      int rows = 0;
      while (cursor.next() != null) {
        rows++;
      }
      cursor.close();
      assertThat(rows).as("rows of %s", scans.get(cursors.indexOf(cursor))).isEqualTo(4);
    }
  }

  @Test
  final void rowsThatStayAreDeliveredOnceWhileOthersComeAndGo() {
    List<String> staying = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      put(bytes("r%03d".formatted(i)), bytes("q"), bytes("v"));
      if (i % 2 == 0) {
        staying.add("r%03d".formatted(i));
      }
    }
    List<String> delivered = new ArrayList<>();
    try (RowCursor cursor = store().scan(family(), Scan.all().rowsPerFetch(3))) {
      int step = 0;
      for (Row row = cursor.next(); row != null; row = cursor.next()) {
        delivered.add(Binary.text(row.key()));
        if (step < 100) {
          deleteRow(bytes("r%03d".formatted(step % 50 * 2 + 1)));
          put(bytes("r%03dx".formatted(step)), bytes("q"), bytes("v"));
          put(bytes("r%03dx".formatted(99 - step)), bytes("q"), bytes("v"));
        }
        step++;
      }
    }

    assertThat(delivered).isSorted().doesNotHaveDuplicates().containsAll(staying);
  }

  @Test
  final void rowsThatStayAreDeliveredOnceByALongScan() {
    List<RowMutation> batch = new ArrayList<>();
    for (int i = 0; i < LARGE; i++) {
      batch.add(new RowMutation(number(LARGE + i), new Change.Put(bytes("q"), bytes("v"))));
    }
    store().mutate(family(), batch);
    List<Long> delivered = new ArrayList<>();
    try (RowCursor cursor = store().scan(family(), Scan.all())) {
      for (Row row = cursor.next(); row != null; row = cursor.next()) {
        delivered.add(number(row.key()));
        if (delivered.size() % 100 == 0) {
          changeWhatWasPassed(delivered.size());
        }
      }
    }

    assertThat(delivered).as("rows of the scan, in order").isSorted().doesNotHaveDuplicates();
    List<Long> staying = new ArrayList<>();
    for (long i = LARGE; i < 2L * LARGE; i += 2) {
      staying.add(i);
    }
    staying.removeAll(new HashSet<>(delivered));
    assertThat(staying).as("rows that stay there and were not delivered").isEmpty();
  }

  /** In turn some rows behind the cursor are removed, or more are added. */
  private void changeWhatWasPassed(int count) {
    List<RowMutation> batch = new ArrayList<>();
    for (int i = count - 100; i < count; i++) {
      if (count % 200 == 0) {
        batch.add(new RowMutation(number(i), new Change.Put(bytes("q"), bytes("v"))));
      } else if (i % 2 == 1) {
        batch.add(new RowMutation(number(LARGE + i), new Change.DeleteRow()));
      }
    }
    store().mutate(family(), batch);
  }

  private void deleteRow(byte[] row) {
    store().mutate(family(), List.of(new RowMutation(row, new Change.DeleteRow())));
  }

  private void putRows(String... keys) {
    for (String key : keys) {
      put(bytes(key), bytes("q"), bytes(key));
    }
  }

  private void putRows(List<Bytes> keys) {
    for (Bytes key : keys) {
      put(key.array(), bytes("q"), key.array());
    }
  }

  private String scanned(byte[] start, byte @Nullable [] stop) {
    List<String> keys = new ArrayList<>();
    rows(Scan.range(start, stop)).forEach(row -> keys.add(Binary.text(row.key())));
    return String.join(" ", keys);
  }

  private static String nextKey(RowCursor cursor) {
    Row row = cursor.next();
    return row == null ? "the end" : Binary.text(row.key());
  }
}
