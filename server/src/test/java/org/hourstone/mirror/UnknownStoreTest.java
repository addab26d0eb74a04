package org.hourstone.mirror;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.hourstone.DaemonSettings;
import org.hourstone.Settings;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.KeyValueStores;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.hourstone.kv.StoreIdentity;
import org.hourstone.mirror.MirrorSender.Pauses;
import org.hourstone.mirror.ScriptedPeer.Failure;
import org.hourstone.testkit.LoggedBy;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A store that can't say for a while which one it is, as an HBase whose master is away. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class UnknownStoreTest extends QueueCase {
  private static final Pauses SHORT =
      new Pauses(Duration.ofSeconds(30), Duration.ofMillis(1), Duration.ofMillis(2));
  private static final Duration LONG = Duration.ofSeconds(60);

  private static final class Store extends ForwardingStore {
    private volatile @Nullable String identity;

    /** The next question takes until the second is counted down, and counts the first one down. */
    private volatile CountDownLatch asked = new CountDownLatch(0);

    private volatile CountDownLatch answers = new CountDownLatch(0);

    Store() {
      super(KeyValueStores.open("memory:"));
    }

    @Override
    public <T> Optional<T> extension(Class<T> type) {
      return type == StoreIdentity.class
          ? Optional.of(type.cast((StoreIdentity) this::identity))
          : super.extension(type);
    }

    private String identity() {
      asked.countDown();
      try {
        answers.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      String now = identity;
      if (now == null) {
        throw new StoreException(Outcome.UNKNOWN, "no master");
      }
      return now;
    }
  }

  private final Store store = new Store();

  @AfterEach
  void close() {
    store.close();
  }

  private Tsdb database(ScriptedPeer peer) {
    return Tsdb.over(
        store,
        TsdbOptions.openTsdbDefaults()
            .with(Settings.AUTO_CREATE_METRICS, "true")
            .with(DaemonSettings.MIRROR, peer.url())
            .with(DaemonSettings.MIRROR_DIRECTORY, directory.toString()));
  }

  private static Mirror mirror(Tsdb db) {
    return Objects.requireNonNull(Mirror.open(db, db.engine().options(), SHORT));
  }

  private static void put(Tsdb db, int value) {
    db.put("m", Instant.ofEpochSecond(1_500_000_000 + value), value, Tags.of("h", "a")).join();
  }

  /** A process has queued a point that it did not send. */
  private void leavePoint(ScriptedPeer peer, String identity) {
    store.identity = identity;
    try (Tsdb db = database(peer);
        Mirror left = mirror(db)) {
      put(db, 1);
      assertThat(left.statistics()).isNotEmpty();
    }
    store.identity = null;
  }

  private MirrorQueue open(@Nullable String of) throws IOException {
    return MirrorQueue.open(new MirrorQueue.Options(directory, of, LARGE, false), CLOCK);
  }

  @Test
  void withoutPointsOfAnEarlierProcessItIsSentAtOnce() throws Exception {
    try (LoggedBy log = LoggedBy.anyThread("org.hourstone.mirror");
        ScriptedPeer peer = new ScriptedPeer(Failure.CLOSED);
        Tsdb db = database(peer);
        Mirror mirror = mirror(db)) {
      mirror.start();
      put(db, 1);

      assertThat(mirror.awaitSent(LONG)).isTrue();
      assertThat(peer.accepted()).hasSize(1);
      assertThat(log.lines())
          .filteredOn(line -> line.contains("can't say which one it is"))
          .singleElement()
          .asString()
          .endsWith("no master");
    }
  }

  @Test
  void aStoreThatTakesLongToSayItHoldsNoPointUp() throws Exception {
    Path file = directory.resolve("store");
    try (ScriptedPeer peer = new ScriptedPeer(Failure.CLOSED);
        Tsdb db = database(peer);
        Mirror mirror = mirror(db)) {
      store.asked = new CountDownLatch(1);
      store.answers = new CountDownLatch(1);
      mirror.start();
      ScriptedPeer.await(store.asked);

      put(db, 1);

      assertThat(mirror.awaitSent(LONG)).isTrue();
      assertThat(file).doesNotExist();
      store.identity = "mine";
      store.answers.countDown();
      while (!Files.exists(file)) {
        Thread.onSpinWait();
      }
      assertThat(file).hasContent("mine/tsdb-uid");
    }
  }

  @Test
  void pointsOfAnEarlierProcessAreSentOnceItSaysSo() throws Exception {
    try (LoggedBy log = LoggedBy.anyThread("org.hourstone.mirror");
        ScriptedPeer peer = new ScriptedPeer(Failure.CLOSED)) {
      leavePoint(peer, "mine");
      try (Tsdb db = database(peer);
          Mirror mirror = mirror(db)) {
        mirror.start();
        log.await(2);
        put(db, 2);
        assertThat(log.lines().get(1)).contains("points can't be sent").endsWith("no master");
        assertThat(peer.requests()).isZero();

        store.identity = "mine";

        assertThat(mirror.awaitSent(LONG)).isTrue();
        assertThat(peer.accepted()).hasSize(2);
      }
    }
  }

  @Test
  void pointsOfAnotherStoreAreNotSent() throws Exception {
    try (LoggedBy log = LoggedBy.anyThread("org.hourstone.mirror");
        ScriptedPeer peer = new ScriptedPeer(Failure.CLOSED)) {
      leavePoint(peer, "other");
      try (Tsdb db = database(peer);
          Mirror mirror = mirror(db)) {
        store.identity = "mine";
        mirror.start();
        log.await(2);
        assertThat(log.lines().get(1)).contains("it has unsent points of another store");
      }
      assertThat(peer.requests()).isZero();
      assertThat(segments(directory)).isNotEmpty();
    }
  }

  @Test
  void aStoreThatIsKnownLaterIsRecordedThen() throws Exception {
    Path file = directory.resolve("store");
    open("other").close();
    try (MirrorQueue queue = open(null)) {
      assertThat(file).doesNotExist(); // else a crash would leave points as those of the other
      append(queue.sink(), 0, 10, 1);
      assertThat(queue.store().mayBeSent()).isTrue();

      queue.store().compare("mine");

      assertThat(queue.store().isKnown()).isTrue();
      assertThat(file).hasContent("mine");
    }
  }

  @Test
  void pointsOfNoRecordedStoreAreTakenWithAWarning() throws Exception {
    try (MirrorQueue queue = open("")) {
      append(queue.sink(), 0, 10, 1);
    }
    Files.createFile(directory.resolve("store"));
    try (LoggedBy log = LoggedBy.thisThread("org.hourstone.mirror");
        MirrorQueue queue = open("mine")) {
      assertThat(queue.store().isKnown()).isTrue();
      assertThat(log.lines()).hasSize(1);
      assertThat(log.lines().get(0)).contains("does not say of which store its points are");
    }
    assertThat(directory.resolve("store")).hasContent("mine");
  }

  @Test
  void aStoreWithoutAnIdentityIsNotTheOneThatHasLeftPoints() throws Exception {
    try (MirrorQueue queue = open("other")) {
      append(queue.sink(), 0, 10, 1);
    }
    assertThatThrownBy(() -> open(""))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("points of another store");
  }
}
