package org.hourstone.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import org.hourstone.MemorySettings;
import org.hourstone.Settings;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.kv.Family;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.hourstone.testkit.ManualClock;
import org.hourstone.testkit.store.ModelStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A store that refuses records of the journal for long: nothing of them stays in memory. */
class RefusedRecordsTest {
  private static final Instant HOUR = Instant.ofEpochSecond(1_500_001_200);

  private final ManualClock clock = new ManualClock(HOUR);
  private final AtomicReference<Outcome> fault = new AtomicReference<>();

  private Tsdb open() {
    return Tsdb.over(
        new ForwardingStore(new ModelStore(clock)) {
          @Override
          public void mutate(Family family, List<RowMutation> batch) {
            Outcome outcome = fault.get();
            if (outcome != null && family.table().equals("tsdb-journal")) {
              throw new StoreException(outcome, "refused");
            }
            super.mutate(family, batch);
          }
        },
        TsdbOptions.defaults()
            .withClock(clock)
            .with(Settings.CREATE_TABLES, "true")
            .with(Settings.HEAD, "true")
            .with(MemorySettings.WRITE_ATTEMPTS, "1")
            .with(MemorySettings.WRITE_THREADS, "1"));
  }

  private static CompletableFuture<?> put(Tsdb db, int hour) {
    return db.put("m", HOUR.minusSeconds(3600L * hour), hour, Tags.of("host", "a"));
  }

  private static long journalBytes(Tsdb db) {
    return Objects.requireNonNull(db.headStats()).journalBytes();
  }

  private static long journalAge(Tsdb db) {
    return Objects.requireNonNull(db.headStats()).journalAgeSeconds();
  }

  @ParameterizedTest
  @EnumSource(
      value = Outcome.class,
      names = {"NOT_APPLIED", "REJECTED"})
  void nothingIsKeptOfThem(Outcome outcome) {
    Tsdb db = open();
    put(db, 0).join();
    fault.set(outcome);
    for (int hour = 1; hour < 1000; hour++) {
      CompletableFuture<?> refused = put(db, hour);
      assertThatExceptionOfType(CompletionException.class).isThrownBy(refused::join);
    }
    fault.set(null);
    put(db, 0).join();

    assertThat(journalBytes(db)).isBetween(1L, 500L);
    assertThatExceptionOfType(StoreException.class).isThrownBy(db::close);
  }

  @Test
  void aRefusedRecordIsNotTheOldestOne() {
    Tsdb db = open();
    fault.set(Outcome.NOT_APPLIED);
    CompletableFuture<?> refused = put(db, 0);
    assertThatExceptionOfType(CompletionException.class).isThrownBy(refused::join);
    clock.advance(Duration.ofHours(1));
    assertThat(journalBytes(db)).isZero();
    assertThat(journalAge(db)).isZero();

    fault.set(null);
    put(db, 0).join();
    clock.advance(Duration.ofSeconds(10));
    assertThat(journalAge(db)).isEqualTo(10);
    assertThatExceptionOfType(StoreException.class).isThrownBy(db::close);
  }

  @Test
  void thoseThatMayBeStoredAreMarked() {
    Tsdb db = open();
    put(db, 0).join();
    fault.set(Outcome.UNKNOWN);
    CompletableFuture<?> unknown = put(db, 1);
    assertThatExceptionOfType(CompletionException.class).isThrownBy(unknown::join);
    fault.set(null);
    put(db, 0).join();

    assertThat(journalBytes(db)).as("with the record that may be stored").isGreaterThan(100);
    assertThatExceptionOfType(StoreException.class).isThrownBy(db::close);
  }
}
