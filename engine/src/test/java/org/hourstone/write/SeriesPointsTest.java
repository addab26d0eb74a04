package org.hourstone.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.testkit.ManualClock;
import org.hourstone.testkit.store.ModelStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Columns of gathered points are used again, once their points are written. */
class SeriesPointsTest {
  private static final long HOUR = 1_500_001_200;

  private static final Receipt IGNORING =
      new Receipt() {
        @Override
        public void stored(long token) {}

        @Override
        public void failed(long token, RuntimeException reason) {}
      };

  private final ManualClock clock = new ManualClock(Instant.ofEpochSecond(HOUR));
  private final Tsdb db = Tsdb.over(new ModelStore(clock), TsdbOptions.defaults().withClock(clock));

  @AfterEach
  void close() {
    db.close();
  }

  @Test
  void fullColumnsAreUsedAgain() {
    gather(PointColumns.MOST);

    db.flush();

    PointColumns again = db.writer().intake().columns();
    assertThat(again.timestamps[PointColumns.MOST - 1]).isEqualTo(HOUR + PointColumns.MOST - 1);
    assertThat(again.size).isZero();
    assertThat(again.series).containsOnlyNulls();
    assertThat(db.writer().intake().columns().timestamps).containsOnly(0);
  }

  /** Else many small batches in a queue would take far more memory than their points. */
  @Test
  void fewPointsAreQueuedInColumnsOfTheirSize() {
    SeriesPoints points = gather(3);

    points.send();
    db.flush();

    assertThat(db.writer().intake().columns().timestamps).containsOnly(0);
  }

  @Test
  void columnsThatAreTooManyAreDropped() {
    BlockingQueue<PointColumns> spares = new ArrayBlockingQueue<>(1);
    PointColumns kept = new PointColumns(2, spares);
    PointColumns dropped = new PointColumns(2, spares);

    kept.release();
    dropped.release();

    assertThat(spares).containsExactly(kept);
  }

  @Test
  void aHandleOfAnotherDatabaseIsRefused() {
    try (Tsdb other = Tsdb.over(new ModelStore(clock), TsdbOptions.defaults())) {
      SeriesWriter series = other.writer().series("m", Map.of("host", "web01"));
      SeriesPoints points = db.writer().seriesPoints(IGNORING);

      assertThatIllegalArgumentException().isThrownBy(() -> points.add(series, HOUR, 1L, 1));
      assertThat(points.size()).isZero();
    }
  }

  private SeriesPoints gather(int count) {
    SeriesWriter series = db.writer().series("m", Map.of("host", "web01"));
    SeriesPoints points = db.writer().seriesPoints(IGNORING);
    for (int i = 0; i < count; i++) {
      points.add(series, HOUR + i, i, i);
    }
    return points;
  }
}
