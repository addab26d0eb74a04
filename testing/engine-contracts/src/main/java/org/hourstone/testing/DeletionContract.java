package org.hourstone.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.hourstone.QuerySettings;
import org.hourstone.Settings;
import org.hourstone.Tags;
import org.hourstone.annotation.Annotation;
import org.hourstone.api.Api;
import org.hourstone.api.request.ApiCall;
import org.hourstone.codec.CorruptDataException;
import org.hourstone.histogram.Bucket;
import org.hourstone.histogram.SimpleHistogram;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.query.Query;
import org.hourstone.rewrite.CompactionListener;
import org.hourstone.rewrite.CompactionScope;
import org.junit.jupiter.api.Test;

/**
 * If a store passes this, exactly the points that a query selects are deleted, and no points that
 * are written concurrently.
 */
public abstract class DeletionContract extends TsdbCase {
  private static final HexFormat HEX = HexFormat.of();
  private static final String ROW = "000001596833b0000001000001";
  private static final String TSUID = "000001000001000001";
  private static final Annotation NOTE = new Annotation(TSUID, HOUR + 1, 0, "deployed", "", null);

  /** From the {@code from}th to the {@code to}th second, both inclusive. */
  private static Query seconds(String expression, long from, long to) {
    return Query.parse(expression)
        .between(START.plusSeconds(from), START.plusSeconds(to).plusMillis(1));
  }

  private void put(long second, long value, Tags tags) {
    db.put("m", START.plusSeconds(second), value, tags);
  }

  private void putCell(String qualifier, String value, long writeTime) {
    db.engine()
        .store()
        .mutate(
            db.engine().tables().points(),
            List.of(
                new RowMutation(
                    HEX.parseHex(ROW),
                    new Change.PutIfNewer(
                        HEX.parseHex(qualifier), HEX.parseHex(value), writeTime))));
  }

  private List<String> cells() {
    List<String> cells = new ArrayList<>();
    try (RowCursor rows = db.engine().store().scan(db.engine().tables().points(), Scan.all())) {
      for (Row row = rows.next(); row != null; row = rows.next()) {
        for (int i = 0; i < row.size(); i++) {
          cells.add(
              HEX.formatHex(row.qualifier(i))
                  + " "
                  + HEX.formatHex(row.value(i))
                  + " "
                  + row.writeTime(i));
        }
      }
    }
    return cells;
  }

  private void compact() {
    db.compactor().run(CompactionScope.everything(), CompactionListener.NONE);
  }

  @Test
  final void exactlyTheSeriesAndTimestampsOfTheQueryAreDeleted() {
    for (long second = 0; second < 10; second++) {
      put(second, second, WEB01);
      put(second, 100 + second, WEB02);
      put(3600 + second, second, WEB01);
    }
    assertThat(db.delete(seconds("sum:m{host=web01}", 3, 3601))).isEqualTo(9);
    assertThat(ask(query("none:m{host=web01}")))
        .containsExactly(
            "m{host=web01}[]: 0=0 1=1 2=2 3602=2 3603=3 3604=4 3605=5 3606=6 3607=7 3608=8 3609=9");
    assertThat(ask(query("none:m{host=web02}")))
        .containsExactly(
            "m{host=web02}[]: 0=100 1=101 2=102 3=103 4=104 5=105 6=106 7=107 8=108 9=109");
    assertThat(db.delete(seconds("sum:m{host=web01}", 3, 3601))).isZero();
  }

  @Test
  final void howTheQueryPutsPointsTogetherDoesNotMatter() {
    for (long second = 0; second < 5; second++) {
      put(second, second, WEB01);
    }
    assertThat(db.delete(seconds("max:1h-avg:m", 1, 3))).isEqualTo(3);
    assertThat(ask(query("none:m"))).containsExactly("m{host=web01}[]: 0=0 4=4");
  }

  @Test
  final void whatIsLeftOfACellIsReadWhateverItsForm() {
    with(Settings.COMPACTION_QUIET, "0");
    for (String form : List.of("single", "pack", "append", "compacted")) {
      with(Settings.ENABLE_APPENDS, form.equals("append") ? "true" : "false");
      with(Settings.WRITE_PACKS, form.equals("pack") ? "true" : "false");
      Tags tags = Tags.of("form", form);
      for (long second = 0; second < 6; second++) {
        put(second, second * 1000, tags);
      }
      db.put("m", START.plusMillis(2500), 0.25, tags);
      db.flush();
      if (form.equals("compacted")) {
        compact();
      }
      Query of = seconds("none:m{form=" + form + "}", 2, 3);
      assertThat(db.delete(of)).describedAs(form).isEqualTo(3);
      assertThat(ask(query("none:m{form=" + form + "}")))
          .containsExactly("m{form=" + form + "}[]: 0=0 1=1000 4=4000 5=5000");
      put(2, 7, tags);
      db.flush();
      assertThat(ask(query("none:m{form=" + form + "}")))
          .describedAs("written after it was deleted")
          .containsExactly("m{form=" + form + "}[]: 0=0 1=1000 2=7 4=4000 5=5000");
    }
  }

  @Test
  final void notesStayAndHistogramsGoOnlyWhenTheyAreAskedFor() {
    with(Settings.HISTOGRAMS_CONFIG, "{\"org.hourstone.histogram.SimpleHistogramCodec\": 42}");
    SimpleHistogram histogram = SimpleHistogram.of(Map.of(new Bucket(0, 1), 5L));
    db.put("m", START.plusSeconds(1), histogram, WEB01);
    put(1, 1, WEB01);
    db.flush();
    db.annotations().save(NOTE, true);

    assertThat(db.delete(seconds("sum:m", 0, 10))).isEqualTo(1);
    assertThat(cells()).hasSize(2);
    assertThat(db.delete(seconds("sum:percentiles[99]:m", 0, 10))).isEqualTo(1);
    assertThat(db.annotations().get(TSUID, HOUR + 1)).isNotNull();
    assertThat(cells()).hasSize(1);
  }

  @Test
  final void whatIsLeftOfACellKeepsItsWriteTime() {
    db.put("m", START.plusSeconds(3600), 1, WEB01).join();
    putCell("000000100020", "04050600", 5);
    putCell("F0001F40", "09", 7);
    assertThat(db.delete(seconds("none:m", 1, 1))).isEqualTo(1);
    assertThat(cells()).contains("00000020 040600 5", "f0001f40 09 7").hasSize(3);
  }

  @Test
  final void theNewestStaysTheOneThatIsReadWhereTwoCellsBecomeOne() {
    db.put("m", START.plusSeconds(3600), 1, WEB01).join();
    putCell("00000010", "040500", 5);
    putCell("00000020", "080900", 7);
    putCell("00300040", "010200", 6);
    putCell("0030", "03", 4);
    assertThat(db.delete(seconds("none:m", 1, 2))).isEqualTo(2);
    assertThat(db.delete(seconds("none:m", 4, 4))).isEqualTo(1);
    assertThat(ask(query("none:m"))).containsExactly("m{host=web01}[]: 0=8 3=1 3600=1");
    assertThat(cells()).hasSize(3);
  }

  @Test
  final void whatIsLeftIsReadAlsoWhereADeletionWouldHideIt() {
    db.put("m", START.plusSeconds(3600), 1, WEB01).join();
    putCell("00000010", "040500", 5);
    byte[] row = HEX.parseHex(ROW);
    byte[] hidden = HEX.parseHex("0000");
    db.engine().store().put(db.engine().tables().points(), row, hidden, new byte[] {1});
    db.engine()
        .store()
        .mutate(
            db.engine().tables().points(),
            List.of(new RowMutation(row, new Change.Delete(hidden))));
    assertThat(db.delete(seconds("none:m", 1, 1))).isEqualTo(1);
    assertThat(ask(query("none:m"))).containsExactly("m{host=web01}[]: 0=4 3600=1");
  }

  @Test
  final void aCorruptCellStaysAndIsAnErrorUnlessCorruptionIsSkipped() {
    db.put("m", START.plusSeconds(3600), 1, WEB01).join();
    putCell("000000100020", "0405", 5);
    putCell("0030", "03", 4);
    assertThatThrownBy(() -> db.delete(seconds("none:m", 0, 100)))
        .isInstanceOf(CorruptDataException.class)
        .hasMessageContaining(ROW);
    with(QuerySettings.CORRUPT_ROWS, "skip");
    assertThat(db.delete(seconds("none:m", 0, 100))).isEqualTo(1);
    assertThat(cells()).contains("000000100020 0405 5").hasSize(2);
  }

  @Test
  final void aCorruptCellInThePlaceOfWhatIsLeftOfAnotherCostsNoPoint() {
    db.put("m", START.plusSeconds(3600), 1, WEB01).join();
    putCell("000000100020", "04050600", 5);
    putCell("00000010", "09", 3);
    with(QuerySettings.CORRUPT_ROWS, "skip");
    assertThatThrownBy(() -> db.delete(seconds("none:m", 2, 2)))
        .isInstanceOf(CorruptDataException.class)
        .hasMessageContaining(ROW)
        .hasMessageContaining("00000010");
    assertThat(cells()).contains("000000100020 04050600 5", "00000010 09 3").hasSize(3);
  }

  /** A reader takes the length of a single value from the value, whatever its qualifier says. */
  @Test
  final void whatIsLeftOfACellFindsRoomAlsoWhereLengthsAreWrong() {
    db.put("m", START.plusSeconds(3600), 1, WEB01).join();
    putCell("00000010", "040500", 5);
    putCell("0000", "0102", 6);
    putCell("0001", "0103", 7);
    assertThat(db.delete(seconds("none:m", 1, 1))).isEqualTo(1);
    assertThat(ask(query("none:m"))).containsExactly("m{host=web01}[]: 0=259 3600=1");
  }

  @Test
  final void inStrictModeWholeRowsGo() {
    with(Settings.STRICT, "deletion");
    for (long second = 0; second < 10; second++) {
      put(second, second, WEB01);
      put(second, second, WEB02);
      put(7200 + second, second, WEB01);
    }
    db.flush();
    db.annotations().save(NOTE, true);
    assertThat(db.delete(seconds("sum:m{host=web01}", 3, 4))).isEqualTo(10);
    assertThat(ask(query("none:m{host=web01}")))
        .containsExactly(
            "m{host=web01}[]: 7200=0 7201=1 7202=2 7203=3 7204=4 7205=5 7206=6 7207=7 7208=8"
                + " 7209=9");
    assertThat(db.annotations().get(TSUID, HOUR + 1)).isNull();
    assertThat(ask(query("none:m{host=web02}"))).hasSize(1);
  }

  @Test
  final void whatWasReadBeforeIsNotPutBackByItsCompaction() {
    with(Settings.COMPACTION_QUIET, "0");
    with(Settings.WRITE_PACKS, "false");
    for (boolean append : List.of(false, true)) {
      with(Settings.ENABLE_APPENDS, append ? "true" : "false");
      with(Settings.REPAIR_APPENDS, "true");
      put(1, 1, WEB01);
      db.flush();
      put(0, 2, WEB01);
      db.flush();
      Row before =
          db.engine().store().get(db.engine().tables().points(), HEX.parseHex(ROW), Columns.all());
      assertThat(db.delete(seconds("none:m", 0, 0))).isEqualTo(1);
      db.compactions().compactRead(before);
      assertThat(ask(query("none:m"))).containsExactly("m{host=web01}[]: 1=1");
      assertThat(db.delete(seconds("none:m", 0, 10))).isEqualTo(1);
      db.compactions().compactRead(before);
      assertThat(cells()).isEmpty();
    }
  }

  @Test
  final void nothingIsDeletedIfAFilterNamesNoValueThatThereIs() {
    with(QuerySettings.SKIP_UNRESOLVED_TAGVS, "true");
    put(1, 1, WEB01);
    assertThat(db.delete(seconds("none:m{host=web09}", 0, 10))).isZero();
    with(Settings.STRICT, "deletion");
    assertThat(db.delete(seconds("none:m{host=web09}", 0, 10))).isZero();
    assertThat(ask(query("none:m"))).hasSize(1);
  }

  @Test
  final void byHttpItIsRefusedUnlessItIsAllowedWhicheverWayItIsAskedFor() {
    ApiCall verb =
        ApiCall.of("DELETE", "/api/query?start=" + HOUR + "&end=" + (HOUR + 2) + "&m=none:m", "");
    ApiCall body =
        ApiCall.of(
            "POST",
            "/api/query",
            "{'start':%d,'end':%d,'delete':true,'queries':[{'aggregator':'none','metric':'m'}]}"
                .formatted(HOUR + 3, HOUR + 4)
                .replace('\'', '"'));
    for (long second = 0; second < 6; second++) {
      put(second, second, WEB01);
    }
    db.flush();
    for (ApiCall call : List.of(verb, body)) {
      assertThat(new Api(db).respond(call).status()).isEqualTo(400);
      assertThat(new Api(db).respond(call).body()).contains("tsd.http.query.allow_delete=false");
    }
    assertThat(ask(query("none:m"))).containsExactly("m{host=web01}[]: 0=0 1=1 2=2 3=3 4=4 5=5");
    with(QuerySettings.ALLOW_DELETE, "true");
    assertThat(new Api(db).respond(verb).body()).contains("{\"1500001200\":0,");
    assertThat(ask(query("none:m"))).containsExactly("m{host=web01}[]: 3=3 4=4 5=5");
    assertThat(new Api(db).respond(body).body()).contains("{\"1500001203\":3,");
    assertThat(ask(query("none:m"))).containsExactly("m{host=web01}[]: 5=5");
  }

  @Test
  final void aDeletedSeriesThatIsWrittenAgainIsRead() {
    put(1, 1, WEB01);
    assertThat(db.delete(seconds("none:m", 0, 10))).isEqualTo(1);
    assertThat(ask(query("none:m"))).isEmpty();
    put(1, 2, WEB01);
    db.flush();
    assertThat(ask(query("none:m"))).containsExactly("m{host=web01}[]: 1=2");
  }

  @Test
  final void writersOfTheSameRowsLoseNothing() throws Exception {
    with(Settings.COMPACTION_QUIET, "0");
    with(Settings.FLUSH_INTERVAL, "0");
    for (long second = 0; second < 100; second++) {
      put(second, 1, WEB01);
    }
    db.flush();
    AtomicBoolean stop = new AtomicBoolean();
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      Future<Long> written =
          threads.submit(
              () -> {
                long second = 100;
                do {
                  db.put("m", START.plusSeconds(second), second, WEB01).join();
                  second++;
                } while (!stop.get() && second < 3600);
                return second;
              });
      Future<?> compacted =
          threads.submit(
              () -> {
                while (!stop.get()) {
                  compact();
                }
              });
      for (long second = 0; second < 100; second += 5) {
        db.delete(seconds("none:m", second, second + 4));
      }
      stop.set(true);
      compacted.get();
      List<String> expected = new ArrayList<>();
      for (long second = 100; second < written.get(); second++) {
        expected.add(second + "=" + second);
      }
      db.flush();
      assertThat(ask(query("none:m")))
          .containsExactly("m{host=web01}[]: " + String.join(" ", expected));
    } finally {
      stop.set(true);
      threads.shutdownNow();
    }
  }

  @Test
  final void rowsOfSaltedTablesAreDeletedAlike() {
    with(Settings.SALT_WIDTH, "1");
    for (int host = 0; host < 30; host++) {
      put(1, host, Tags.of("host", "h" + host));
      put(5, host, Tags.of("host", "h" + host));
    }
    assertThat(db.delete(seconds("sum:m", 2, 8))).isEqualTo(30);
    assertThat(ask(query("sum:m"))).containsExactly("m{}[host]: 1=435");
  }
}
