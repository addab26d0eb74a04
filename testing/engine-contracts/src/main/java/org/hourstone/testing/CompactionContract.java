package org.hourstone.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.hourstone.QuerySettings;
import org.hourstone.Settings;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Trait;
import org.hourstone.rewrite.CompactionListener;
import org.hourstone.rewrite.CompactionReport;
import org.hourstone.rewrite.CompactionScope;
import org.hourstone.uid.UidKind;
import org.junit.jupiter.api.Test;

/**
 * The result of compacting a row, cell by cell. A store that passes its own contract and {@link
 * RowRewritingContract} passes this, too; it contains examples.
 */
public abstract class CompactionContract extends CompactionCase {
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
  final void aNewCellIsAsOldAsTheNewestOfItsSources() {
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
    try (Tsdb other = Tsdb.over(store, db.engine().options().with(Settings.STRICT, "deletion"))) {
      for (int replacement = 0; replacement < 3; replacement++) {
        put("0000=04 0010=05");

        compactDuring(replacement, () -> other.delete(seconds(0, 1)));

        assertThat(cells()).describedAs("replacement %s", replacement).isEmpty();
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
  final void anyNumberOfThreadsCompactsTheRowsOfTheScope() {
    db.uids().assign(UidKind.METRIC, "n");
    db.uids().assign(UidKind.METRIC, "o");
    CompactionScope all = CompactionScope.everything();
    CompactionScope hours = all.between((HOUR - 4 * 3600) * 1000, (HOUR - 2 * 3600) * 1000);
    for (int threads : List.of(1, 2, 7)) {
      String what = threads + " threads";
      assertThat(compacted(threads, all)).as(what).isEqualTo(rows(3, 0, 5));
      assertThat(compacted(threads, hours)).as(what).isEqualTo(rows(3, 1, 3));
      assertThat(compacted(threads, all.ofMetric("m"))).as(what).isEqualTo(rows(1, 0, 5));
      assertThat(compacted(threads, hours.ofMetric("m"))).as(what).isEqualTo(rows(1, 1, 3));
    }
  }

  /** The keys of rows of the first metrics and some hours, and of a row that is too short. */
  private static Set<String> rows(int metrics, int firstHour, int lastHour) {
    Set<String> rows = new TreeSet<>();
    for (int metric = 1; metric <= metrics; metric++) {
      for (int hour = firstHour; hour <= lastHour; hour++) {
        rows.add(String.format("00000%d%08x000001000001", metric, HOUR + 3600L * (hour - 5)));
      }
    }
    return rows;
  }

  /** The rows that are compacted of those of three metrics and six hours. */
  private Set<String> compacted(int threads, CompactionScope scope) {
    Family points = db.engine().tables().points();
    skipped.clear();
    store.put(points, hex("01"), hex("0000"), hex("04"));
    for (String row : rows(3, 0, 5)) {
      store.mutate(points, List.of(new RowMutation(hex(row), new Change.DeleteRow())));
      store.put(points, hex(row), hex("0000"), hex("04"));
      store.put(points, hex(row), hex("0010"), hex("05"));
    }
    fixture.clock().advance(Duration.ofMinutes(2));
    CompactionReport report = db.compactor().run(scope, threads, skipping());
    Set<String> compacted = new TreeSet<>();
    for (String row : rows(3, 0, 5)) {
      if (store.get(points, hex(row), Columns.all()).size() == 1) {
        compacted.add(row);
      }
    }
    int tooShort = scope.metric() == null ? 1 : 0;
    int rows = compacted.size();
    assertThat(report)
        .isEqualTo(new CompactionReport(rows + tooShort, rows, 2L * rows, rows, 0, tooShort));
    assertThat(skipped).hasSize(tooShort);
    return compacted;
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

    Change again = new Change.PutIfNewer(hex("00500060"), hex("696A00"), HOUR * 1000);
    store.mutate(db.engine().tables().points(), List.of(new RowMutation(ROW, again)));

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
  final void aCorruptRowIsReportedAndLeftAsItIs() {
    for (String corrupt :
        List.of(
            "00200030=06",
            "0020=",
            "050000=002306",
            "000B=FFFFFFFF42280000",
            "00200030=0607080900")) {
      store.mutate(
          db.engine().tables().points(), List.of(new RowMutation(ROW, new Change.DeleteRow())));
      put("0000=04 0010=05 " + corrupt);
      String before = cells();
      skipped.clear();

      CompactionReport report = compact();

      assertThat(report.skipped()).describedAs(corrupt).isEqualTo(1);
      assertThat(skipped).hasSize(1).first().asString().contains("row 00000150e1eec0000001000001");
      assertThat(cells()).isEqualTo(before);
    }
  }

  @Test
  final void conflictingPointsAreLeftAsTheyAreWhereNothingSaysWhichCounts() {
    with(QuerySettings.FIX_DUPLICATES, "false");
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
}
