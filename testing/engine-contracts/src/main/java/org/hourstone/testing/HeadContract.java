package org.hourstone.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.hourstone.MemorySettings;
import org.hourstone.Settings;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.codec.CorruptDataException;
import org.hourstone.head.Acknowledgement;
import org.hourstone.kv.Family;
import org.hourstone.kv.Row;
import org.hourstone.query.Query;
import org.hourstone.write.SeriesPoints;
import org.hourstone.write.SeriesWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Points that the journal has: neither lost nor brought back, whenever the process dies. The clock
 * does not move until a test moves it.
 */
@Timeout(300)
public abstract class HeadContract extends HeadCase {
  @Test
  final void aClosedDatabaseLeavesNothingInTheJournal() {
    db.put("m", HOUR, 1, WEB01).join();
    Family journal = db.engine().options().journalFamily();

    db.close();

    assertThat(rows(journal)).allSatisfy(row -> assertThat(row.key()).hasSize(1));
    assertThat(dataRows()).hasSize(1);
    db = Tsdb.over(mortal, options().with(Settings.HEAD, "false"));
    assertThat(points("m", WEB01)).hasSize(1);
  }

  @Test
  final void anAcknowledgedPointSurvivesTheProcess() {
    db.put("m", HOUR, 1, WEB01).join();
    db.put("m", HOUR.plusMillis(1), 2, WEB01).join();

    die(options());

    assertThat(points("m", WEB01)).hasSize(2);
    assertThat(dataRows()).isEmpty();
    db.put("m", HOUR.plusMillis(1), 3, WEB01).join();
    assertThat(points("m", WEB01)).containsEntry(HOUR.plusMillis(1), 3.0);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4})
  final void gatheredPointsThatAreAcknowledgedSurviveTheProcess(int writes) {
    SeriesWriter[] handles = new SeriesWriter[3];
    for (int i = 0; i < handles.length; i++) {
      db.put("m", HOUR, -1, Tags.of("host", "web0" + i)).join();
      handles[i] = db.writer().series("m", Map.of("host", "web0" + i));
    }
    SeriesPointsContract.Outcomes outcomes = new SeriesPointsContract.Outcomes();
    SeriesPoints points = db.writer().seriesPoints(outcomes);
    mortal.dieAfter(writes, writes % 2 == 0);
    int count = 0;
    while (count < 9_000) {
      points.add(handles[count % 3], HOUR.getEpochSecond() + 1 + count / 3, count, count);
      count++;
    }
    points.send();
    // The head may have made few writes of these.
    for (int more = 0; more <= writes && outcomes.failed.isEmpty(); more++) {
      points.add(handles[count % 3], HOUR.getEpochSecond() + 1 + count / 3, count, count);
      count++;
      points.send();
      while (outcomes.count() < count && outcomes.failed.isEmpty()) {
        Thread.onSpinWait();
      }
    }

    die(options());

    outcomes.areOneEach();
    assertThat(outcomes.count()).isEqualTo(count);
    assertThat(outcomes.failed).isNotEmpty();
    for (int i = 0; i < handles.length; i++) {
      Map<Instant, Double> read = points("m", Tags.of("host", "web0" + i));
      for (long point = i; point < count; point += 3) {
        if (outcomes.stored.containsKey(point)) {
          assertThat(read).containsEntry(HOUR.plusSeconds(1 + point / 3), (double) point);
        }
      }
    }
  }

  @Test
  final void aDatabaseWithoutAHeadWritesWhatTheJournalHas() {
    db.put("m", HOUR, 1, WEB01).join();

    die(options().with(Settings.HEAD, "false"));

    assertThat(dataRows()).hasSize(1);
    assertThat(points("m", WEB01)).hasSize(1);
    assertThat(db.engine().acknowledgement()).isNotEqualTo(Acknowledgement.JOURNAL);
  }

  @Test
  final void deletedPointsAreNotBroughtBackByTheJournal() {
    db.put("other", HOUR, 1, WEB01).join(); // keeps the journal's beginning
    db.put("m", HOUR, 1, WEB01).join();
    db.put("m", HOUR.plusSeconds(1), 2, WEB01).join();
    Query query = Query.metric("m").betweenMillis(HOUR.toEpochMilli(), HOUR.toEpochMilli() + 1);

    assertThat(db.delete(query)).isEqualTo(1);
    die(options());

    assertThat(points("m", WEB01)).containsOnlyKeys(HOUR.plusSeconds(1));
  }

  @Test
  final void rowsAreSealedSomeMinutesAfterTheirHour() {
    db.put("m", HOUR, 1, WEB01).join();
    fixture.clock().advance(Duration.ofMinutes(61));
    db.put("other", HOUR.plusSeconds(3660), 1, WEB01).join();
    assertThat(dataRows()).isEmpty();

    fixture.clock().advance(Duration.ofMinutes(15));
    // The second is handled after the rows that were due with the first.
    String[] sameThread = {"m", "m"};
    for (String metric : sameThread) {
      db.put(metric, HOUR.plusSeconds(4560), 1, WEB01).join();
    }

    assertThat(dataRows()).hasSize(1);
    assertThat(points("m", WEB01)).hasSize(2);
  }

  @Test
  final void beyondItsBoundsRowsAreWritten() {
    db.close();
    db =
        Tsdb.over(
            mortal,
            options()
                .with(MemorySettings.HEAD_BYTES, "20000")
                .with(MemorySettings.HEAD_JOURNAL_BYTES, "20000"));

    for (int i = 0; i < 2000; i++) {
      db.put("m", HOUR.plusSeconds(i), i, Tags.of("host", "web" + i % 200)).join();
    }

    assertThat(dataRows()).isNotEmpty();
    assertThat(stats().bytes()).isBetween(1L, 30_000L);
    assertThat(points("m", Tags.of("host", "web7"))).hasSize(10);
  }

  /** Collectors send the points of all series in turn. */
  @Test
  final void beyondItsMemoryMostRowsThatFitStayOpen() {
    db.close();
    db = Tsdb.over(mortal, options().with(MemorySettings.HEAD_BYTES, "50000"));
    int series = 200;
    int turns = 20;

    for (int i = 0; i < series * turns; i++) {
      Tags tags = Tags.of("host", "web" + i % series);
      db.put("m", HOUR.plusSeconds(i / series), i, tags).join();
    }

    assertThat(stats().bytes()).isLessThan(60_000);
    assertThat(stats().sealed()).isBetween(2L * series, 2L * series * turns / 3);
    assertThat(points("m", Tags.of("host", "web7"))).hasSize(turns);
  }

  @Test
  final void theJournalIsBounded() {
    db.close();
    db = Tsdb.over(mortal, options().with(MemorySettings.HEAD_JOURNAL_BYTES, "5000"));
    db.put("old", HOUR, 1, WEB01).join();
    for (int i = 0; i < 3000; i++) {
      fixture.clock().advance(Duration.ofSeconds(1));
      db.put("m", HOUR.plusSeconds(i), i, WEB01).join();
      db.put("old", HOUR.plusMillis(i), i, Tags.of("host", "web" + i % 7)).join();
    }

    assertThat(dataRows()).isNotEmpty();
    assertThat(stats().journalBytes()).isBetween(1L, 50_000L);
    assertThat(points("m", WEB01)).hasSize(3000);
  }

  @Test
  final void twoDatabasesOverAStoreKeepNothingFromEachOther() {
    db.put("m", HOUR, 1, WEB01).join();
    db.put("m", HOUR.plusSeconds(1), 1, WEB01).join();
    Query first = Query.metric("m").betweenMillis(HOUR.toEpochMilli(), HOUR.toEpochMilli() + 1);
    try (Tsdb second = Tsdb.over(mortal, options())) {
      assertThat(second.engine().acknowledgement()).isNotEqualTo(Acknowledgement.JOURNAL);
      second.put("m", HOUR.plusSeconds(1), 2, WEB01).join();
      assertThat(second.delete(first)).isEqualTo(1);
      db.put("m", HOUR.plusSeconds(2), 3, WEB01).join();
    }

    Map<Instant, Double> expected = Map.of(HOUR.plusSeconds(1), 2.0, HOUR.plusSeconds(2), 3.0);
    assertThat(points("m", WEB01)).isEqualTo(expected);
    db.flush();
    assertThat(points("m", WEB01)).isEqualTo(expected);
    assertThat(stats().rows()).isZero();

    db.close();
    db = Tsdb.over(mortal, options());
    assertThat(points("m", WEB01)).isEqualTo(expected);
    assertThat(db.engine().acknowledgement()).isEqualTo(Acknowledgement.JOURNAL);
  }

  @Test
  final void seriesThatAreOnlyInTheJournalAreInTheIndex() {
    db.close();
    db = Tsdb.over(mortal, options().with(Settings.INDEX_ENABLE, "false"));
    db.put("m", HOUR, 1, WEB01).join();
    die(options());

    db.put("m", HOUR, 1, Tags.of("host", "web02")).join();

    assertThat(points("m", WEB01)).hasSize(1);
  }

  @Test
  final void aRecordThatCannotBeReadIsNamed() {
    db.put("m", HOUR, 1, WEB01).join();
    Family journal = db.engine().options().journalFamily();
    Row record = rows(journal).get(rows(journal).size() - 1);
    die();
    store.put(journal, record.key(), record.qualifier(0), new byte[] {1, 2, 3});

    assertThatExceptionOfType(CorruptDataException.class)
        .isThrownBy(() -> Tsdb.over(store, options()).close())
        .withMessageContaining("journal record 0000000000000001")
        .withMessageContaining(journal.toString());

    store.put(journal, record.key(), record.qualifier(0), record.value(0));
    db = Tsdb.over(store, options());
    assertThat(points("m", WEB01)).hasSize(1);
  }

  @Test
  final void theJournalOfOtherWidthsIsRefused() {
    db.put("m", HOUR, 1, WEB01).join();
    die();

    assertThatIllegalArgumentException()
        .isThrownBy(() -> Tsdb.over(store, options().with(Settings.SALT_WIDTH, "1")).close())
        .withMessageContaining("tsd.storage.salt.width=0, not 1");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                Tsdb.over(
                        store,
                        options().with(Settings.SALT_WIDTH, "1").with(Settings.SALT_CHECK, "false"))
                    .close())
        .withMessageContaining("the journal has points");
    db = Tsdb.over(store, options());
  }
}
