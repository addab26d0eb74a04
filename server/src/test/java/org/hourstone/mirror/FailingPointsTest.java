package org.hourstone.mirror;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.hourstone.DaemonSettings;
import org.hourstone.MemorySettings;
import org.hourstone.Settings;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.api.request.ServerInfo.Statistic;
import org.hourstone.mirror.MirrorSender.Pauses;
import org.hourstone.mirror.ScriptedPeer.Failure;
import org.hourstone.mirror.ScriptedPeer.Received;
import org.hourstone.testkit.LoggedBy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.junit.jupiter.params.provider.ValueSource;

/** Points that the other server never accepts do not keep it from those that it does. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class FailingPointsTest {
  private static final long START = 1_500_000_000;
  private static final Pauses SHORT =
      new Pauses(Duration.ofSeconds(30), Duration.ofMillis(1), Duration.ofMillis(2));

  /** With points of the metric {@code poison}. */
  private static boolean isPoisoned(List<Received> points) {
    return points.stream().anyMatch(each -> each.metric().equals("poison"));
  }

  @TempDir Path directory;

  /** The database with the mirror to a peer. */
  private Tsdb database(ScriptedPeer peer) {
    return Tsdb.open(
        "memory:",
        TsdbOptions.defaults()
            .with(Settings.AUTO_CREATE_METRICS, "true")
            .with(MemorySettings.WRITE_THREADS, "1")
            .with(DaemonSettings.MIRROR, peer.url())
            .with(DaemonSettings.MIRROR_DIRECTORY, directory.resolve("queue").toString()));
  }

  private static Mirror mirror(Tsdb db) {
    return Objects.requireNonNull(Mirror.open(db, db.engine().options(), SHORT));
  }

  private static void put(Tsdb db, String metric, int at) {
    db.put(metric, Instant.ofEpochSecond(START + at), at, Tags.of("h", "a")).join();
  }

  private static void putAll(Tsdb db, int points, Predicate<Integer> isPoison) {
    for (int i = 0; i < points; i++) {
      put(db, isPoison.test(i) ? "poison" : "m" + i % 7, i);
    }
  }

  private static long statistic(Mirror mirror, String metric, Map<String, String> tags) {
    return mirror.statistics().stream()
        .filter(each -> each.metric().equals(metric) && each.tags().equals(tags))
        .mapToLong(Statistic::value)
        .sum();
  }

  private static long refused(Mirror mirror) {
    return mirror.statistics().stream()
        .filter(each -> each.metric().equals("mirror.refused"))
        .mapToLong(Statistic::value)
        .sum();
  }

  /** A request of several points that is refused with a page of a proxy may only be too large. */
  private static List<String> lines(LoggedBy log) {
    return log.messages().stream().filter(line -> !line.contains("in smaller requests")).toList();
  }

  private static List<Long> distinct(ScriptedPeer peer) {
    Set<Long> values = new LinkedHashSet<>();
    peer.accepted().forEach(each -> values.add(each.value()));
    return values.stream().sorted().toList();
  }

  private static List<Long> numbers(int to, Predicate<Integer> isPoison) {
    List<Long> numbers = new ArrayList<>();
    for (int i = 0; i < to; i++) {
      if (!isPoison.test(i)) {
        numbers.add((long) i);
      }
    }
    return numbers;
  }

  @ParameterizedTest
  @EnumSource(
      mode = Mode.EXCLUDE,
      names = {"BUSY", "TOO_MANY", "STORAGE", "THROTTLED"})
  void aPointThatFailsAlwaysIsSetAside(Failure failure) throws Exception {
    try (LoggedBy log = LoggedBy.anyThread("org.hourstone.mirror");
        ScriptedPeer peer = new ScriptedPeer(failure);
        Tsdb db = database(peer);
        Mirror mirror = mirror(db)) {
      peer.refuse(FailingPointsTest::isPoisoned, new CountDownLatch(0));
      putAll(db, 300, i -> i == 137);
      mirror.start();

      assertThat(mirror.awaitSent(Duration.ofSeconds(60))).isTrue();

      assertThat(distinct(peer)).isEqualTo(numbers(300, i -> i == 137));
      assertThat(statistic(mirror, "mirror.refused", Map.of("type", "failing"))).isEqualTo(1);
      assertThat(statistic(mirror, "mirror.points", Map.of("type", "sent"))).isEqualTo(299);
      assertThat(statistic(mirror, "mirror.failing", Map.of())).isEqualTo(0);
      assertThat(log.messages()).anyMatch(line -> line.contains("\"metric\":\"poison\""));
      assertThat(lines(log)).hasSize(3);
    }
  }

  /** Once one of a series was set aside, the others are without many attempts. */
  @Test
  void aSeriesOfSuchPointsDelaysTheOthersLittle() throws Exception {
    try (LoggedBy log = LoggedBy.anyThread("org.hourstone.mirror");
        ScriptedPeer peer = new ScriptedPeer(Failure.STATUS_500);
        Tsdb db = database(peer);
        Mirror mirror = mirror(db)) {
      peer.refuse(FailingPointsTest::isPoisoned, new CountDownLatch(0));
      putAll(db, 900, i -> i % 3 == 0);
      mirror.start();

      assertThat(mirror.awaitSent(Duration.ofSeconds(60))).isTrue();

      assertThat(distinct(peer)).isEqualTo(numbers(900, i -> i % 3 == 0));
      assertThat(statistic(mirror, "mirror.refused", Map.of("type", "failing"))).isEqualTo(300);
      assertThat(peer.requests()).isLessThan(300 * 3 + 100);
      assertThat(log.messages()).hasSize(4);
    }
  }

  /** As the store of the server says so itself: its region may be the only one that is away. */
  @ParameterizedTest
  @EnumSource(names = {"BUSY", "TOO_MANY", "STORAGE", "THROTTLED"})
  void aPointIsKeptWhileTheStoreOfTheServerFails(Failure failure) throws Exception {
    try (LoggedBy log = LoggedBy.anyThread("org.hourstone.mirror");
        ScriptedPeer peer = new ScriptedPeer(failure);
        Tsdb db = database(peer);
        Mirror mirror = mirror(db)) {
      CountDownLatch many = new CountDownLatch(100);
      peer.refuse(FailingPointsTest::isPoisoned, many);
      putAll(db, 300, i -> i == 137);
      mirror.start();
      ScriptedPeer.await(many);
      peer.refuse(points -> false, many);

      assertThat(mirror.awaitSent(Duration.ofSeconds(60))).isTrue();

      assertThat(peer.accepted().stream().map(Received::value)).isEqualTo(numbers(300, i -> false));
      assertThat(refused(mirror)).isEqualTo(0);
      assertThat(log.messages()).hasSize(2);
    }
  }

  @ParameterizedTest
  @EnumSource
  void anOutageOfTheServerDropsNothing(Failure failure) throws Exception {
    try (LoggedBy log = LoggedBy.anyThread("org.hourstone.mirror");
        ScriptedPeer peer = new ScriptedPeer(failure);
        Tsdb db = database(peer);
        Mirror mirror = mirror(db)) {
      CountDownLatch many = new CountDownLatch(100);
      peer.refuse(points -> true, many);
      putAll(db, 300, i -> false);
      mirror.start();
      ScriptedPeer.await(many);
      assertThat(statistic(mirror, "mirror.failing", Map.of())).isEqualTo(1);
      peer.refuse(points -> false, many);

      assertThat(mirror.awaitSent(Duration.ofSeconds(60))).isTrue();

      assertThat(distinct(peer)).isEqualTo(numbers(300, i -> false));
      assertThat(refused(mirror)).isEqualTo(0);
      assertThat(statistic(mirror, "mirror.failing", Map.of())).isEqualTo(0);
      assertThat(lines(log)).hasSize(2);
    }
  }

  /**
   * A balancer before two servers: at first both are away, so that points are sent alone, then one
   * is, so that every other request fails.
   */
  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void aServerThatFailsByTurnsDropsNothing(int firstTurn) throws Exception {
    try (LoggedBy log = LoggedBy.anyThread("org.hourstone.mirror");
        ScriptedPeer peer = new ScriptedPeer(Failure.BAD_GATEWAY);
        Tsdb db = database(peer);
        Mirror mirror = mirror(db)) {
      AtomicInteger turn = new AtomicInteger();
      peer.refuse(
          points -> turn.incrementAndGet() < 100 || (turn.get() + firstTurn) % 2 == 0,
          new CountDownLatch(0));
      putAll(db, 600, i -> false);
      mirror.start();

      assertThat(mirror.awaitSent(Duration.ofSeconds(60))).isTrue();

      assertThat(distinct(peer)).isEqualTo(numbers(600, i -> false));
      assertThat(refused(mirror)).isEqualTo(0);
      assertThat(log.messages()).isNotEmpty();
    }
  }

  /** What proves that the server accepts points is sent before its turn. */
  @Test
  void theNewestValueOfATimestampIsSentLast() throws Exception {
    try (LoggedBy log = LoggedBy.anyThread("org.hourstone.mirror");
        ScriptedPeer peer = new ScriptedPeer(Failure.STATUS_500);
        Tsdb db = database(peer);
        Mirror mirror = mirror(db)) {
      peer.refuse(FailingPointsTest::isPoisoned, new CountDownLatch(0));
      put(db, "poison", 0);
      for (int value = 1; value <= 100; value++) {
        db.put("m", Instant.ofEpochSecond(START + value % 3), value, Tags.of("h", "a")).join();
      }
      mirror.start();

      assertThat(mirror.awaitSent(Duration.ofSeconds(60))).isTrue();

      for (int second = 0; second < 3; second++) {
        long timestamp = START + second;
        assertThat(
                peer.accepted().stream()
                    .filter(each -> each.timestamp() == timestamp)
                    .reduce((before, last) -> last)
                    .map(Received::value))
            .hasValue(List.of(99L, 100L, 98L).get(second));
      }
      assertThat(refused(mirror)).isEqualTo(1);
      assertThat(log.messages()).isNotEmpty();
    }
  }
}
