package org.hourstone.mirror;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.hourstone.DaemonSettings;
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
import org.hourstone.mirror.MirrorSender.Pauses;
import org.hourstone.query.Query;
import org.hourstone.query.SeriesCursor;
import org.hourstone.server.Server;
import org.hourstone.testkit.LoggedBy;
import org.hourstone.testkit.ManualClock;
import org.hourstone.testkit.store.ModelStore;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that got no response, and that the other server executes later nevertheless. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class LateRequestTest {
  private static final Instant TIME = Instant.ofEpochSecond(1_500_000_000);
  private static final Pauses IMPATIENT =
      new Pauses(Duration.ofMillis(100), Duration.ofMillis(1), Duration.ofMillis(1));

  @TempDir Path directory;

  /** Writes nothing until it is opened. */
  private static final class GatedStore extends ForwardingStore {
    private final CountDownLatch open = new CountDownLatch(1);

    GatedStore() {
      super(new ModelStore(new ManualClock(TIME)));
    }

    @Override
    public void mutate(Family family, List<RowMutation> batch) {
      try {
        open.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new StoreException(Outcome.UNKNOWN, "interrupted", e);
      }
      super.mutate(family, batch);
    }
  }

  private static TsdbOptions options() {
    return TsdbOptions.defaults()
        .with(Settings.AUTO_CREATE_METRICS, "true")
        .with(DaemonSettings.PORT, "0");
  }

  /** Also if the points of the requests fill the queue of the thread that writes them. */
  @ParameterizedTest
  @ValueSource(strings = {"1", "16", "100000"})
  void theNewestValueOfATimestampWins(String queue) throws Exception {
    GatedStore store = new GatedStore();
    try (LoggedBy log = LoggedBy.anyThread("org.hourstone.mirror");
        Tsdb other =
            Tsdb.over(
                store,
                options()
                    .with(Settings.HEAD, "false")
                    .with(Settings.FLUSH_INTERVAL, "0")
                    .with(MemorySettings.WRITE_QUEUE, queue));
        Server server = Server.start(other);
        Tsdb db =
            Tsdb.open(
                "memory:",
                options()
                    .with(DaemonSettings.MIRROR, "http://127.0.0.1:" + server.address().getPort())
                    .with(DaemonSettings.MIRROR_DIRECTORY, directory.resolve("q").toString()));
        Mirror mirror = Objects.requireNonNull(Mirror.open(db, db.engine().options(), IMPATIENT))) {
      for (int second = 0; second < 40; second++) {
        db.put("m", TIME.plusSeconds(second), 1, Tags.of("h", "a")).join();
      }
      mirror.start();
      log.await(1);
      assertThat(log.messages().get(0)).contains("no response within");
      for (int second = 0; second < 40; second++) {
        db.put("m", TIME.plusSeconds(second), 2, Tags.of("h", "a")).join();
      }
      store.open.countDown();

      assertThat(mirror.awaitSent(Duration.ofSeconds(60))).isTrue();

      other.flush();
      List<Double> values = new ArrayList<>();
      try (SeriesCursor series = other.query(Query.parse("none:m"))) {
        series.forEach(each -> each.forEach((millis, value) -> values.add(value)));
      }
      assertThat(values).hasSize(40).containsOnly(2.0);
    }
  }
}
