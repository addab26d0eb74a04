package org.hourstone.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.hourstone.Settings;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.hourstone.testkit.ManualClock;
import org.hourstone.testkit.store.ModelStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Series whose points are refused after they were admitted, while there is room for many more. */
class SeriesReservationsTest {
  private static final int MOST = 1_000_000;
  private static final int REFUSED = 12_345;

  private final ManualClock clock = new ManualClock(Instant.ofEpochSecond(1_500_001_200));
  private final AtomicInteger mostRead = new AtomicInteger();
  private final KeyValueStore store =
      new ForwardingStore(new ModelStore(clock)) {
        @Override
        public List<Row> get(Family family, List<byte[]> rows, Columns columns) {
          mostRead.accumulateAndGet(rows.size(), Math::max);
          return super.get(family, rows, columns);
        }

        @Override
        public void close() {} // others use it
      };
  private Tsdb db = open(MOST, 1 << 26);
  private SeriesLimit limit = db.engine().index().limit();

  private Tsdb open(int most, int memoryBytes) {
    return Tsdb.over(
        store,
        TsdbOptions.defaults()
            .withClock(clock)
            .with(Settings.CREATE_TABLES, "true")
            .with(Settings.MAX_SERIES, String.valueOf(most))
            .with(Settings.INDEX_MEMORY, String.valueOf(memoryBytes)));
  }

  private void useInstead(int most, int memoryBytes) {
    db.close();
    db = open(most, memoryBytes);
    limit = db.engine().index().limit();
  }

  @AfterEach
  void close() {
    db.close();
  }

  private static byte[] tsuid(int series) {
    return new byte[] {
      0, 0, 1, 0, 0, 1, (byte) (series >> 16), (byte) (series >> 8), (byte) series
    };
  }

  private void admit(int series) {
    limit.admit(tsuid(series), metric -> "m");
  }

  @Test
  void theyAreForgottenAlthoughThereIsRoom() {
    for (int i = 0; i < REFUSED; i++) {
      admit(i);
    }
    assertThat(limit.room()).isEqualTo(MOST - REFUSED);

    clock.advance(Duration.ofMillis(SeriesLimit.KEPT_MILLIS + 1));
    admit(REFUSED);

    assertThat(limit.room()).isEqualTo(MOST - 1);
    assertThat(mostRead.get()).as("entries read in a call").isBetween(1, 1000);
  }

  @Test
  void thoseOfTheLastMinutesStay() {
    for (int i = 0; i < REFUSED; i++) {
      admit(i);
    }
    clock.advance(Duration.ofMinutes(2));
    admit(REFUSED);

    assertThat(limit.room()).isEqualTo(MOST - REFUSED - 1);
    clock.advance(Duration.ofMillis(SeriesLimit.KEPT_MILLIS));
    admit(REFUSED + 1);
    assertThat(limit.room()).isEqualTo(MOST - 2);
  }

  /** Its point has waited for long, and its entry is being put. */
  @Test
  void oneThatIsBeingEnteredIsNotForgotten() {
    useInstead(2, 1 << 20);
    admit(0);
    clock.advance(Duration.ofMillis(SeriesLimit.KEPT_MILLIS + 1));
    limit.found(List.of(tsuid(0)), List.of(IndexTable.Entry.ABSENT));
    admit(1);

    assertThatExceptionOfType(SeriesLimitException.class).isThrownBy(() -> admit(2));
  }

  @Test
  void theyTakeNoMoreMemoryThanThereIs() {
    useInstead(MOST, 320_000);
    for (int i = 0; i < 1000; i++) {
      admit(i);
    }
    assertThatExceptionOfType(StoreException.class)
        .isThrownBy(() -> admit(1000))
        .withMessageContaining("1000 series wait to be written for the first time")
        .satisfies(e -> assertThat(e.outcome()).isEqualTo(Outcome.NOT_APPLIED));
    admit(0);
    clock.advance(Duration.ofMillis(SeriesLimit.KEPT_MILLIS + 1));
    admit(1000);

    assertThat(limit.room()).isEqualTo(MOST - 1);
  }

  /** A process that was started again does not know them. */
  @Test
  void seriesThatExistAreNotRefusedHoweverManyThereAre() {
    for (int i = 0; i < 2500; i++) {
      db.put("m", clock.instant(), i, Tags.of("host", "h" + i));
    }
    db.flush();
    useInstead(MOST, 320_000);
    for (int i = 0; i < 2500; i++) {
      limit.admit(db.engine().seriesNames().tsuid("m", Map.of("host", "h" + i)), metric -> "m");
    }

    // The last ones are not known to exist yet.
    assertThat(limit.room()).isBetween(MOST - 3500L, MOST - 2500L);
  }
}
