package org.hourstone.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.hourstone.Setting;
import org.hourstone.Settings;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.codec.CorruptDataException;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Trait;
import org.hourstone.query.Query;
import org.hourstone.query.SeriesCursor;
import org.hourstone.rewrite.CompactionListener;
import org.hourstone.rewrite.CompactionReport;
import org.hourstone.rewrite.CompactionScope;
import org.hourstone.testkit.StoreFixture;
import org.hourstone.testkit.store.FaultPlan;
import org.hourstone.testkit.store.FaultPlan.Operation;
import org.hourstone.testkit.store.FaultyStore;
import org.hourstone.uid.UidKind;
import org.hourstone.write.FutureReceipt;
import org.hourstone.write.PointBatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What compaction makes of a row, cell by cell. A store that passes its own contract and {@link
 * RowRewritingContract} passes this, too; it says by example what is meant.
 */
public abstract class CompactionContract {
  /** 2012-12-31T20:00:00Z; the fixture's clock stands at 2013. */
  private static final long HOUR = 1_356_984_000;

  private static final byte[] ROW = hex("00000150e1eec0000001000001");

  @TempDir private Path directory;
  private StoreFixture fixture;
  private KeyValueStore store;
  private Tsdb db;
  private final List<String> skipped = new ArrayList<>();
  private Runnable beforeReplacing = () -> {};

  /** How many replacements come before the one that the above precedes. */
  private int replacementsBefore;

  /** Opens the store under test, empty. */
  protected abstract KeyValueStore open(StoreFixture fixture);

  @BeforeEach
  final void openDatabase() {
    fixture = StoreFixture.in(directory, 1);
    store = new FaultyStore(open(fixture), new FaultPlan(1), this::before);
    db =
        Tsdb.over(
            store,
            TsdbOptions.defaults()
                .withClock(fixture.clock())
                .with(Settings.CREATE_TABLES, "true")
                .with(Settings.COMPACTION_QUIET, "0") // not all stores date cells by our clock
                .with(Settings.COMPACTION_BACKGROUND, "false"));
    db.uids().assign(UidKind.METRIC, "m");
    db.uids().assign(UidKind.TAGK, "host");
    db.uids().assign(UidKind.TAGV, "a");
  }

  @AfterEach
  final void closeDatabase() {
    db.close();
    store.close();
  }

  private void before(Operation operation) {
    if (operation == Operation.REPLACE_CELLS && replacementsBefore-- <= 0) {
      Runnable now = beforeReplacing;
      beforeReplacing = () -> {};
      now.run();
    }
  }

  /** Compacts while something else happens: before any of the compaction's replacements. */
  private void compactDuring(int replacement, Runnable meanwhile) {
    replacementsBefore = replacement;
    beforeReplacing = meanwhile;
    compact();
    replacementsBefore = 0;
    before(Operation.REPLACE_CELLS); // if there were not so many
    replacementsBefore = 0;
  }

  private static Query seconds(int from, int to) {
    return Query.metric("m").betweenMillis((HOUR + from) * 1000, (HOUR + to) * 1000);
  }

  private void with(Setting<?> key, String value) {
    db.close();
    db = Tsdb.over(store, db.engine().options().with(key, value));
  }

  private static byte[] hex(String text) {
    return HexFormat.of().parseHex(text.toLowerCase(Locale.ROOT));
  }

  /** Writes cells {@code qualifier=value …}, one after the other. */
  private void put(String cells) {
    for (String cell : cells.split(" ")) {
      String[] parts = cell.split("=", -1);
      store.put(db.engine().tables().points(), ROW, hex(parts[0]), hex(parts[1]));
    }
  }

  private void delete(String... qualifiers) {
    List<Change> changes = new ArrayList<>();
    for (String qualifier : qualifiers) {
      changes.add(new Change.Delete(hex(qualifier)));
    }
    store.mutate(db.engine().tables().points(), List.of(new RowMutation(ROW, changes)));
  }

  private void append(String suffix) {
    store.append(db.engine().tables().points(), ROW, hex("050000"), hex(suffix));
  }

  private Row row() {
    return store.get(db.engine().tables().points(), ROW, Columns.all());
  }

  /** The row's cells as {@link #put} takes them. */
  private String cells() {
    Row row = row();
    List<String> cells = new ArrayList<>();
    for (int i = 0; i < row.size(); i++) {
      HexFormat upper = HexFormat.of().withUpperCase();
      cells.add(upper.formatHex(row.qualifier(i)) + "=" + upper.formatHex(row.value(i)));
    }
    return String.join(" ", cells);
  }

  private CompactionReport compact() {
    fixture.clock().advance(Duration.ofMinutes(2));
    return db.compactor()
        .run(
            CompactionScope.everything(),
            new CompactionListener() {
              @Override
              public void skipped(String reason) {
                skipped.add(reason);
              }
            });
  }

  /** The points as {@code milliseconds-of-the-hour=value …}. */
  private String points() {
    StringBuilder text = new StringBuilder();
    Query query = Query.metric("m").betweenMillis(HOUR * 1000, (HOUR + 3600) * 1000);
    try (SeriesCursor series = db.query(query)) {
      series.forEach(
          one -> {
            for (int i = 0; i < one.size(); i++) {
              text.append(text.isEmpty() ? "" : " ").append(one.millis(i) - HOUR * 1000);
              text.append('=').append(one.text(i));
            }
          });
    }
    return text.toString();
  }

  @Test
  final void pointsOfARowBecomeOneCell() {
    put("0000=04 0010=05 F00001C0=06 0021=0102");
    String before = points();

    CompactionReport report = compact();

    assertThat(cells()).isEqualTo("0000F00001C000100021=040605010201");
    assertThat(points()).isEqualTo(before).isEqualTo("0=4 7=6 1000=5 2000=258");
    assertThat(report).isEqualTo(new CompactionReport(1, 1, 4, 1, 0, 0));
    assertThat(compact()).isEqualTo(new CompactionReport(1, 0, 0, 0, 0, 0));
  }

  @Test
  final void aRowIsLeftAloneUntilItsHourIsOver() {
    long hour = fixture.clock().millis() / 1000 / 3600 * 3600;
    fixture.clock().advance(Duration.ofMillis(hour * 1000 - fixture.clock().millis()));
    byte[] row = ByteBuffer.wrap(ROW.clone()).putInt(3, (int) hour).array();
    store.put(db.engine().tables().points(), row, hex("0000"), hex("04"));
    store.put(db.engine().tables().points(), row, hex("0010"), hex("05"));
    fixture.clock().advance(Duration.ofMinutes(58));
    assertThat(compact()).isEqualTo(new CompactionReport(1, 0, 0, 0, 1, 0));

    assertThat(compact().rewritten()).isEqualTo(1);
    assertThat(store.get(db.engine().tables().points(), row, Columns.all()).find(hex("00000010")))
        .isEqualTo(hex("040500"));
  }

  @Test
  final void whatIsNoPointStays() {
    put("0000=04 0010=05 01000A=7B7D 06000A=00 0123456789=00 " + "F0000040=01");

    compact();

    assertThat(cells()).isEqualTo("0000F00000400010=04010501 01000A=7B7D 0123456789=00 06000A=00");
  }

  @Test
  final void aNewCellIsAsOldAsTheNewestItWasMadeOf() {
    put("0000=04");
    fixture.clock().advance(Duration.ofMinutes(10));
    put("0010=05");
    long newest = row().writeTime(1);

    compact();

    assertThat(row().writeTime(0) - newest)
        .isBetween(0L, store.traits().contains(Trait.MONOTONIC_WRITE_TIMES) ? 0L : 1L);
  }

  @Test
  final void aPointThatComesWhileItsRowIsCompactedStays() {
    put("0000=04 0010=05");
    beforeReplacing = () -> put("0020=06");
    compact();
    assertThat(points()).isEqualTo("0=4 1000=5 2000=6");
    compact();
    assertThat(cells()).isEqualTo("000000100020=04050600");
  }

  @Test
  final void aPointThatIsReplacedWhileItsRowIsCompactedIsReadAsItCameLast() {
    for (String late :
        List.of(
            "0000=07", // the same cell
            "0001=0007", // another cell of its instant
            "F0000000=07", // in milliseconds
            "00000010=070500", // several points, and just the cell that compaction is to write
            "00000020=070600")) {
      store.mutate(
          db.engine().tables().points(), List.of(new RowMutation(ROW, new Change.DeleteRow())));
      put("0000=04 0010=05");
      beforeReplacing = () -> put(late);

      compact();

      assertThat(points()).describedAs(late).startsWith("0=7 1000=5");
      compact();
      assertThat(points()).describedAs(late).startsWith("0=7 1000=5");
      assertThat(row().size()).isEqualTo(1);
    }
  }

  /** Another process deletes: nothing but the store is common to both. */
  @Test
  final void whatAnotherProcessDeletesWhileItsRowIsCompactedDoesNotComeBack() {
    try (Tsdb other = Tsdb.over(store, db.engine().options())) {
      for (int replacement = 0; replacement < 3; replacement++) {
        put("0000=04 0010=05 0020=06");

        compactDuring(replacement, () -> other.delete(seconds(0, 1)));

        assertThat(points()).describedAs("replacement %s", replacement).isEqualTo("2000=6");
        compact();
        assertThat(points()).isEqualTo("2000=6");
      }
    }
  }

  @Test
  final void aRowThatIsDeletedWhileItIsCompactedDoesNotComeBack() {
    try (Tsdb other = Tsdb.over(store, db.engine().options().with(Settings.DELETES_ROWS, "true"))) {
      for (int replacement = 0; replacement < 3; replacement++) {
        put("0000=04 0010=05");

        compactDuring(replacement, () -> other.delete(seconds(0, 1)));

        assertThat(cells()).describedAs("replacement %s", replacement).isEmpty();
      }
    }
  }

  @Test
  final void whatIsDeletedWhileAnAppendCellIsPutInOrderDoesNotComeBack() {
    with(Settings.COMPACT_APPENDS, "false");
    with(Settings.REPAIR_APPENDS, "true");
    try (Tsdb other = Tsdb.over(store, db.engine().options())) {
      for (int replacement = 0; replacement < 3; replacement++) {
        append("002006001005000004");

        compactDuring(replacement, () -> other.delete(seconds(1, 2)));

        assertThat(points()).describedAs("replacement %s", replacement).isEqualTo("0=4");
      }
    }
  }

  @Test
  final void twoThatCompactARowAtATimeLoseNothing() {
    try (Tsdb other = Tsdb.over(store, db.engine().options().with(Settings.MAX_CELL_BYTES, "6"))) {
      for (int replacement = 0; replacement < 3; replacement++) {
        put("0000=04 0010=05 0020=06 0030=07");

        compactDuring(
            replacement,
            () -> {
              other.compactor().run(CompactionScope.everything(), CompactionListener.NONE);
              put("0001=0009");
            });

        assertThat(points()).isEqualTo("0=9 1000=5 2000=6 3000=7");
        compact();
        assertThat(points()).isEqualTo("0=9 1000=5 2000=6 3000=7");
      }
    }
  }

  @Test
  final void aCellThatWasGivenATimeOfTheFutureHidesNoLaterPoint() {
    long anHourAhead = fixture.clock().millis() + 3_600_000;
    store.mutate(
        db.engine().tables().points(),
        List.of(new RowMutation(ROW, new Change.PutIfNewer(hex("0000"), hex("04"), anHourAhead))));
    put("0010=05");
    compact();
    put("0011=0009 0001=0008");
    assertThat(points()).isEqualTo("0=8 1000=9");
    compact();
    assertThat(points()).isEqualTo("0=8 1000=9");
  }

  /** There every cell has the time of a point, or of its hour: a later write is not dated later. */
  @Test
  final void pointsThatAreSentAgainAreReadAlsoWhereTheirTimeIsTheWriteTime() {
    with(Settings.USE_OTSDB_TIMESTAMP, "true");
    for (long second : List.of(5, 6)) {
      db.put("m", Instant.ofEpochSecond(HOUR + second), second, Tags.of("host", "a")).join();
    }
    compact();
    assertThat(cells()).isEqualTo("00500060=050600");

    PointBatch again = db.writer().batch("m", Map.of("host", "a"));
    again.add(HOUR + 5, 105);
    again.add(HOUR + 6, 106);
    FutureReceipt stored = new FutureReceipt(db.writer());
    again.persist(stored, 0);
    stored.join();

    assertThat(points()).isEqualTo("5000=105 6000=106");
    db.put("m", Instant.ofEpochSecond(HOUR + 5), 300, Tags.of("host", "a")).join();
    compact();
    assertThat(points()).isEqualTo("5000=300 6000=106");
  }

  @Test
  final void aRowIsReadAsBeforeIfACellWasDeletedInThePlaceOfItsNewCell() {
    put("00000010=0708");
    delete("00000010");
    put("0000=04 0010=05");
    compact();
    assertThat(points()).isEqualTo("0=4 1000=5");
  }

  @Test
  final void aCellIsRewrittenInItsPlace() {
    put("00000010=0405 F0000000=06");

    compact();

    assertThat(points()).isEqualTo("0=6 1000=5");
    put("00000010=0405");
    compact();
    assertThat(cells()).isEqualTo("00000010=040500");
  }

  @Test
  final void aDamagedRowIsReportedAndLeftAsItIs() {
    for (String damaged :
        List.of(
            "00200030=06",
            "0020=",
            "050000=002306",
            "000B=FFFFFFFF42280000",
            "00200030=0607080900")) {
      store.mutate(
          db.engine().tables().points(), List.of(new RowMutation(ROW, new Change.DeleteRow())));
      put("0000=04 0010=05 " + damaged);
      String before = cells();
      skipped.clear();

      CompactionReport report = compact();

      assertThat(report.skipped()).describedAs(damaged).isEqualTo(1);
      assertThat(skipped).hasSize(1).first().asString().contains("row 00000150e1eec0000001000001");
      assertThat(cells()).isEqualTo(before);
    }
  }

  @Test
  final void conflictingPointsAreLeftAsTheyAreWhereNothingSaysWhichCounts() {
    with(Settings.FIX_DUPLICATES, "false");
    put("0000=04 0001=0005 0010=06");

    assertThat(compact().skipped()).isEqualTo(1);

    assertThat(cells()).isEqualTo("0000=04 0001=0005 0010=06");
    assertThat(skipped).first().asString().contains("Duplicate timestamp");
  }

  @Test
  final void aRowThatIsTooLargeForOneCellBecomesSeveralOnce() {
    with(Settings.MAX_CELL_BYTES, "10");
    put("0000=01 0010=02 0020=03 0030=04 0040=05 0050=06 0060=07");

    compact();

    assertThat(cells()).isEqualTo("000000100020=01020300 003000400050=04050600 0060=07");
    assertThat(compact().rewritten()).isZero();
    put("0010=09");
    compact();
    assertThat(cells()).isEqualTo("000000100020=01090300 003000400050=04050600 0060=07");
    assertThat(points()).isEqualTo("0=1 1000=9 2000=3 3000=4 4000=5 5000=6 6000=7");
  }

  /** An OpenTSDB merges bounded cells, and deletes them after that. */
  @Test
  final void noPointIsLostWhenAnotherHasMergedCellsThatWereBounded() {
    with(Settings.MAX_CELL_BYTES, "10");
    put("0000=01 0010=02 0020=03 0030=04 0040=05");
    compact();
    String bounded = "000000100020=01020300 00300040=040500";
    assertThat(cells()).isEqualTo(bounded);

    String merged = "00000010002000300040=010203040500";
    put(merged);
    delete("000000100020", "00300040");
    compact();

    assertThat(points()).isEqualTo("0=1 1000=2 2000=3 3000=4 4000=5");
    boolean apart = !store.traits().contains(Trait.SHARED);
    assertThat(cells()).isEqualTo(apart ? bounded : merged);
    assertThat(compact().rewritten()).isZero();
  }

  /** It deletes what it has read, and may do so after we have compacted. */
  @Test
  final void aLatePointAmongBoundedCellsMakesNoneOfThemSmaller() {
    with(Settings.MAX_CELL_BYTES, "10");
    put("0000=01 0010=02 0020=03 0030=04 0040=05 0060=07 0070=08");
    compact();
    put("F0001F40=06");
    compact();

    assertThat(points()).isEqualTo("0=1 125=6 1000=2 2000=3 3000=4 4000=5 6000=7 7000=8");
    boolean apart = !store.traits().contains(Trait.SHARED);
    assertThat(cells())
        .isEqualTo(
            apart
                ? "0000F0001F40=010601 001000200030=02030400 004000600070=05070800"
                : "0000F0001F4000100020=0106020301 003000400060=04050700 0070=08");
    assertThat(compact().rewritten()).isZero();
  }

  @Test
  final void anHourOfMillisecondsStaysWithinTheBound() {
    List<Change> changes = new ArrayList<>();
    for (int i = 0; i < 36_000; i++) {
      int qualifier = 0xF0000000 | (i * 100) << 6;
      changes.add(
          new Change.Put(ByteBuffer.allocate(4).putInt(qualifier).array(), new byte[] {(byte) i}));
    }
    store.mutate(db.engine().tables().points(), List.of(new RowMutation(ROW, changes)));

    CompactionReport report = compact();

    assertThat(report.cellsBefore()).isEqualTo(36_000);
    // Nine replacements make nine cells; on a shared store these are not split to fill six.
    assertThat(report.cellsAfter()).isEqualTo(store.traits().contains(Trait.SHARED) ? 9 : 6);
    Row row = row();
    for (int i = 0; i < row.size(); i++) {
      assertThat(row.qualifier(i).length + row.value(i).length).isLessThanOrEqualTo(32_768);
    }
    assertThat(compact().rewritten()).isZero();
  }

  @Test
  final void ofAPackAndASinglePointTheOneWrittenLastIsRead() {
    put("0000=01 00000010=020300 0010=04");
    assertThat(points()).isEqualTo("0=2 1000=4");
    compact();
    assertThat(cells()).isEqualTo("00000010=020400");
    put("0001=0005");
    assertThat(points()).isEqualTo("0=5 1000=4");
  }

  @Test
  final void appendedPointsAreMergedOnAStoreOfOurOwn() {
    append("001005");
    append("000004001006");
    put("0020=07");

    compact();

    assertThat(cells())
        .isEqualTo(
            store.traits().contains(Trait.SHARED)
                ? "0020=07 050000=001005000004001006"
                : "000000100020=04060700");
    assertThat(points()).isEqualTo("0=4 1000=6 2000=7");
  }

  @Test
  final void pointsAppendedWhileARowIsCompactedStay() {
    assumeFalse(store.traits().contains(Trait.SHARED), "rows with append cells are left alone");
    append("000004");
    put("0020=07");
    beforeReplacing = () -> append("000005001006");
    compact();
    assertThat(points()).isEqualTo("0=5 1000=6 2000=7");
    compact();
    assertThat(points()).isEqualTo("0=5 1000=6 2000=7");
  }

  @Test
  final void anAppendCellThatStaysIsPutInOrderIfThatIsWanted() {
    with(Settings.COMPACT_APPENDS, "false");
    append("001005");
    append("000004001006");
    put("0020=07");
    String before = cells();
    compact();
    assertThat(cells()).isEqualTo(before);

    with(Settings.REPAIR_APPENDS, "true");
    long writeTime = row().writeTime(1);
    assertThat(compact().rewritten()).isEqualTo(1);
    assertThat(cells()).isEqualTo("0020=07 050000=000004001006");
    assertThat(row().writeTime(1)).isEqualTo(writeTime);
    assertThat(compact().rewritten()).isZero();
  }

  @Test
  final void pointsAppendedWhileACellIsPutInOrderStay() {
    with(Settings.COMPACT_APPENDS, "false");
    with(Settings.REPAIR_APPENDS, "true");
    append("001005000004");
    beforeReplacing = () -> append("000008");
    compact();
    assertThat(cells()).isEqualTo("050000=000008001005");
  }

  /** Whatever is missing at the end: an error with a name, and all before it can still be read. */
  @Test
  final void anAppendCellThatIsCutOffIsNamedWhereverTheCutIs() {
    byte[] whole = hex("000004" + "F000FA4305060708" + "00207F" + "003B42280000");
    List<Integer> ends = List.of(0, 3, 11, 14, 20);
    List<String> readable = List.of("", "0=4", "0=4 1001=84281096", "0=4 1001=84281096 2000=127");
    for (int length = 1; length < whole.length; length++) {
      with(Settings.DAMAGED_ROWS, "fail");
      store.put(db.engine().tables().points(), ROW, hex("050000"), Arrays.copyOf(whole, length));
      if (ends.contains(length)) {
        assertThat(points()).isEqualTo(readable.get(ends.indexOf(length)));
        continue;
      }
      assertThatThrownBy(this::points)
          .describedAs("%s bytes", length)
          .isInstanceOf(CorruptDataException.class)
          .hasMessageContaining("row 00000150e1eec0000001000001 of tsdb:t, cell 050000: ");
      with(Settings.DAMAGED_ROWS, "skip");
      int cut = length;
      int intact = (int) ends.stream().filter(end -> end < cut).count() - 1;
      assertThat(points()).describedAs("%s bytes", length).isEqualTo(readable.get(intact));
      assertThat(compact().skipped()).isEqualTo(1);
    }
  }
}
