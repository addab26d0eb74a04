package org.hourstone.write;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.StoreException;
import org.hourstone.testkit.ManualClock;
import org.hourstone.testkit.store.ModelStore;
import org.hourstone.uid.SeriesName;
import org.junit.jupiter.api.Test;

/** Points of new series while the store is away: each call for a name may take long then. */
class EncodedPointsOutageTest {
  private static final long SECONDS = 1_500_001_200;

  private static final EncodedPoints.Protocol HOSTS =
      (text, from, to, from2, to2) ->
          new SeriesName("m", Map.of("host", new String(text, from, to - from, US_ASCII)));

  private static final class Away extends ForwardingStore {
    final AtomicInteger calls = new AtomicInteger();

    Away(ModelStore delegate) {
      super(delegate);
    }

    private StoreException failure() {
      calls.incrementAndGet();
      return new StoreException(StoreException.Outcome.REJECTED, "the store is away");
    }

    @Override
    public Row get(Family family, byte[] row, Columns columns) {
      throw failure();
    }

    @Override
    public List<Row> get(Family family, List<byte[]> rows, Columns columns) {
      throw failure();
    }

    @Override
    public void mutate(Family family, List<RowMutation> batch) {
      throw failure();
    }

    @Override
    public long increment(Family family, byte[] row, byte[] qualifier, long delta) {
      throw failure();
    }

    @Override
    public boolean replaceCells(Family family, Row observed, List<Cell> replacement) {
      throw failure();
    }
  }

  private static final class Outcomes implements Receipt {
    final Map<Long, RuntimeException> failed = new TreeMap<>();

    @Override
    public void stored(long token) {
      throw new AssertionError("stored: " + token);
    }

    @Override
    public void failed(long token, RuntimeException reason) {
      failed.put(token, reason);
    }
  }

  @Test
  void theStoreIsAskedAFewTimesHoweverManyPointsThereAre() {
    ManualClock clock = new ManualClock(Instant.ofEpochSecond(SECONDS));
    Away store = new Away(new ModelStore(clock));
    try (Tsdb db =
        Tsdb.over(
            store,
            TsdbOptions.defaults()
                .withClock(clock)
                .with(Settings.HEAD, "false")
                .with(Settings.COMPACTION_BACKGROUND, "false")
                .with(Settings.AUTO_CREATE_METRICS, "true"))) {
      EncodedPoints points = db.writer().encodedPoints(HOSTS);
      int count = 2000;
      for (int i = 0; i < count; i++) {
        byte[] host = ("h" + i / 10).getBytes(US_ASCII);
        points.select(host, 0, host.length, 0, 0);
        points.add(SECONDS + i, i, i);
      }
      int before = store.calls.get();
      Outcomes outcomes = new Outcomes();
      points.send(outcomes);

      assertThat(outcomes.failed).hasSize(count);
      assertThat(outcomes.failed.values())
          .allSatisfy(each -> assertThat(each).hasMessageContaining("the store is away"));
      assertThat(store.calls.get() - before).isLessThan(50);
    }
  }
}
