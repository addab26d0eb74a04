package org.hourstone.write;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.hourstone.meta.SeriesMeta;
import org.junit.jupiter.api.Test;

/** Series that can't be recorded stop no points, and are reported. */
class FailingTrackingTest extends WriterCase {
  @Test
  void aPointIsAcknowledgedBeforeItsMetadataIsRecorded() {
    try (Tsdb db = open(counting())) {
      Gate gate = store.gate(METADATA, () -> {});
      for (int i = 0; i < 50; i++) {
        put(db, i).join();
      }
      gate.open();
      db.flush();
      byte[] tsuid = db.writer().series("m", A).tsuid();
      SeriesMeta found = Objects.requireNonNull(db.metadata().series().find(tsuid));
      assertThat(found.points()).isEqualTo(50);
      assertThat(db.metadata().failures().count()).isZero();
    }
  }

  /** The points are stored, and all waiting ends: of flush, of writers and of close. */
  @Test
  void aThreadThatDiesRecordingSeriesStopsNoPoints() throws Exception {
    Tsdb db = open(counting());
    assertThat(db.metadata().isTracking()).isTrue();
    Gate gate = store.gate(METADATA, DIE);
    put(db, 0).join();
    gate.awaitReached();
    db.put("other", Instant.ofEpochSecond(HOUR), 1L, Tags.of("h", "a")).join();
    assertThat(db.metadata().failures().count()).isZero();
    CompletableFuture<Void> flushed = CompletableFuture.runAsync(db::flush);

    gate.open();

    flushed.join();
    assertThat(db.metadata().isTracking()).isFalse();
    assertThat(db.metadata().failures().count()).isEqualTo(1);
    assertThat(db.metadata().failures().last()).contains("of up to 2 series", "as if");
    store.before = family -> {};
    put(db, 1).join();
    db.flush();
    assertThat(db.metadata().failures().count()).isEqualTo(2);
    assertThat(db.writer().stats().alive()).isEqualTo(1);
    db.close();
    assertThat(db.writer().stats().stored()).isEqualTo(3);
    assertThat(db.writer().stats().failed()).isZero();
  }

  @Test
  void aStoreThatFailsToRecordSeriesIsNotWaitedForWithEachOfThem() {
    try (Tsdb db = open(counting())) {
      AtomicInteger calls = new AtomicInteger();
      store.before =
          family -> {
            if (family.table().equals(METADATA)) {
              calls.incrementAndGet();
              throw new StoreException(Outcome.NOT_APPLIED, "unreachable");
            }
          };
      int series = 300;
      for (int i = 0; i < series; i++) {
        db.put("m", Instant.ofEpochSecond(HOUR), 1L, Tags.of("h", "h" + i));
      }
      db.flush();
      assertThat(db.writer().stats().stored()).isEqualTo(series);
      assertThat(db.metadata().failures().count()).isEqualTo(series);
      assertThat(calls.get()).isLessThanOrEqualTo(3 * series);
      store.before = family -> {};
      db.put("m", Instant.ofEpochSecond(HOUR + 1), 1L, Tags.of("h", "h0"));
      db.flush();
      byte[] tsuid = db.writer().series("m", Map.of("h", "h0")).tsuid();
      assertThat(db.metadata().series().find(tsuid)).isNotNull();
    }
  }
}
