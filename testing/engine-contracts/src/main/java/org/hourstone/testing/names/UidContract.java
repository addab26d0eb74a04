package org.hourstone.testing.names;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.hourstone.Settings;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.codec.Schema;
import org.hourstone.error.RequestException;
import org.hourstone.internal.Backoff;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.Scan;
import org.hourstone.kv.StoreException;
import org.hourstone.testkit.ConcurrentRunner;
import org.hourstone.testkit.store.FaultPlan;
import org.hourstone.testkit.store.FaultPlan.Fault;
import org.hourstone.testkit.store.FaultPlan.Operation;
import org.hourstone.testkit.store.FaultyStore;
import org.hourstone.uid.UidAssignmentException;
import org.hourstone.uid.UidKind;
import org.hourstone.uid.UidOptions;
import org.hourstone.uid.UidTable;
import org.hourstone.uid.UidUsage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Names get their UIDs as they must, whoever asks for them at once and whatever fails. */
public abstract class UidContract extends NamesCase {
  private static final byte[] COUNTER_ROW = {0};

  private static UidTable table(KeyValueStore over, int width, @Nullable RandomGenerator random) {
    return new UidTable(
        over,
        FORWARD,
        REVERSE,
        new Schema(width, width, width, 0, 20, 8),
        new UidOptions(
            EnumSet.allOf(UidKind.class),
            random == null ? Set.of() : Set.of(UidOptions.Rule.RANDOM_METRICS),
            10_000,
            Duration.ZERO),
        Backoff.none(),
        InstantSource.fixed(Instant.EPOCH),
        random == null ? new Random(1) : random);
  }

  private byte @Nullable [] cell(Family family, byte[] row, UidKind kind) {
    byte[] qualifier = latin(kind.qualifier());
    return store.get(family, row, Columns.exactly(qualifier)).find(qualifier);
  }

  @Test
  final void randomUidsOfMetricsLeaveTheCounterAlone() {
    UidTable uids = table(store, 3, new Random(42));
    byte[] first = new byte[3];
    new Random(42).nextBytes(first);
    assertThat(uids.assign(UidKind.METRIC, "m")).isEqualTo(first);
    assertThat(cell(FORWARD, latin("m"), UidKind.METRIC)).isEqualTo(first);
    assertThat(cell(REVERSE, first, UidKind.METRIC)).isEqualTo(latin("m"));
    assertThat(cell(FORWARD, COUNTER_ROW, UidKind.METRIC)).isNull();
    assertThat(uids.assign(UidKind.TAGK, "host")).isEqualTo(new byte[] {0, 0, 1});
    assertThat(cell(FORWARD, COUNTER_ROW, UidKind.TAGK))
        .isEqualTo(new byte[] {0, 0, 0, 0, 0, 0, 0, 1});
  }

  @Test
  final void zeroIsNoRandomUidAndTakenOnesAreGivenUpAfterNineTries() {
    AtomicInteger drawn = new AtomicInteger();
    RandomGenerator zeros =
        () -> {
          drawn.incrementAndGet();
          return 0;
        };
    UidTable uids = table(store, 3, zeros);
    assertThat(uids.assign(UidKind.METRIC, "m")).isEqualTo(new byte[] {0, 0, 1});
    assertThat(drawn).hasValue(1);
    assertThatThrownBy(() -> uids.assign(UidKind.METRIC, "n"))
        .isInstanceOf(UidAssignmentException.class)
        .hasMessage("Failed to assign random ID for kind='metrics' name='n' after 10 attempts");
    assertThat(drawn).hasValue(10);
    assertThat(cell(FORWARD, latin("n"), UidKind.METRIC)).isNull();
  }

  @Test
  final void randomUidsAreNeverGivenTwice() {
    for (long seed = 1; seed <= 20; seed++) {
      Random random = new Random(seed);
      String prefix = "s" + seed + ".";
      UidTable uids = table(store, 1, random);
      Map<String, byte[]> given = new HashMap<>();
      for (int i = 0; i < 12; i++) {
        try {
          given.put(prefix + i, uids.assign(UidKind.METRIC, prefix + i));
        } catch (UidAssignmentException taken) {
          assertThat(cell(FORWARD, latin(prefix + i), UidKind.METRIC)).isNull();
        }
      }
      given.forEach(
          (name, uid) -> {
            assertThat(uid).describedAs(name).isNotEqualTo(new byte[] {0});
            assertThat(cell(REVERSE, uid, UidKind.METRIC)).isEqualTo(latin(name));
            assertThat(cell(FORWARD, latin(name), UidKind.METRIC)).isEqualTo(uid);
          });
    }
    assertThat(table(store, 1, new Random(1)).usage(UidKind.METRIC).assigned())
        .isEqualTo(forward(UidKind.METRIC).size());
    assertThat(cell(FORWARD, COUNTER_ROW, UidKind.METRIC)).isNull();
  }

  @Test
  final void randomUidsOfEightBytesAreRefused() {
    assertThatThrownBy(() -> table(store, 8, new Random(1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("random metric UIDs have 7 bytes at most, not 8");
  }

  @Test
  final void scarcityIsReportedOnceAKindWhenEightyPercentAreUsed() {
    UidTable uids = table(store, 1, null);
    List<UidUsage> told = Collections.synchronizedList(new ArrayList<>());
    uids.onScarcity(told::add);
    for (int i = 1; i <= 203; i++) {
      uids.assign(UidKind.TAGV, "v" + i);
    }
    assertThat(told).isEmpty();
    assertThat(uids.usage(UidKind.TAGV)).isEqualTo(new UidUsage(UidKind.TAGV, 203, 255, 1));
    uids.assign(UidKind.TAGV, "v204");
    uids.assign(UidKind.TAGV, "v205");
    uids.assign(UidKind.TAGK, "host");
    assertThat(told).containsExactly(new UidUsage(UidKind.TAGV, 204, 255, 1));
    assertThat(told.get(0).isScarce()).isTrue();
  }

  @Test
  final void theLoserOfARaceTakesTheWinnersUid() {
    UidTable winner = table(store, 3, null);
    AtomicInteger swaps = new AtomicInteger();
    KeyValueStore interrupted =
        new FaultyStore(
            store,
            new FaultPlan(1),
            operation -> {
              // Between the loser's claim of its number and its publication.
              if (operation == Operation.COMPARE_AND_SET && swaps.incrementAndGet() == 2) {
                winner.assign(UidKind.TAGV, "web01");
              }
            });
    UidTable loser = table(interrupted, 3, null);
    assertThat(loser.uidForWriting(UidKind.TAGV, "web01")).isEqualTo(new byte[] {0, 0, 2});
    assertThat(winner.uid(UidKind.TAGV, "web01")).isEqualTo(new byte[] {0, 0, 2});
    assertThat(cell(REVERSE, new byte[] {0, 0, 2}, UidKind.TAGV)).isEqualTo(latin("web01"));
    assertThat(winner.usage(UidKind.TAGV).assigned()).isEqualTo(2);
  }

  @Test
  final void namesBeyondLatin1ShareOneUidOnlyWhereThatIsAllowed() {
    TsdbOptions options = TsdbOptions.defaults().with(Settings.CREATE_TABLES, "true");
    Instant time = Instant.ofEpochSecond(1_500_001_200);
    try (Tsdb db = Tsdb.over(store, options)) {
      assertThatThrownBy(() -> db.put("\u4e2d", time, 1, Tags.of("host", "a")))
          .isInstanceOf(RequestException.class)
          .hasMessageContaining("not in ISO-8859-1");
      db.put("\u00e9", time, 1, Tags.of("host", "a")).join();
      assertThat(forward(UidKind.METRIC)).containsOnlyKeys("\u00e9");
    }
    try (Tsdb db = Tsdb.over(store, options.with(Settings.ALLOW_NON_LATIN1, "true"))) {
      db.put("\u4e2d", time, 1, Tags.of("host", "a")).join();
      db.put("\u0416", time, 1, Tags.of("host", "a")).join();
      assertThat(db.uids().uid(UidKind.METRIC, "\u4e2d"))
          .isEqualTo(db.uids().uid(UidKind.METRIC, "\u0416"));
      assertThat(forward(UidKind.METRIC)).containsOnlyKeys("\u00e9", "?");
    }
  }

  @Test
  final void aCallerThatWaitsForAFailedAssignmentGetsTheErrorAndTheNextTrySucceeds()
      throws Exception {
    FaultPlan plan = new FaultPlan(1).fail(Operation.INCREMENT, Fault.NOT_APPLIED, 1);
    UidTable uids = table(new FaultyStore(store, plan), 3, null);
    List<Boolean> failed =
        ConcurrentRunner.run(
            100,
            number ->
                () -> {
                  try {
                    uids.uidForWriting(UidKind.TAGV, "web01");
                    return false;
                  } catch (StoreException e) {
                    return true;
                  }
                });
    assertThat(failed).hasSize(100).containsOnly(true);
    plan.calm();
    assertThat(uids.uidForWriting(UidKind.TAGV, "web01")).isEqualTo(new byte[] {0, 0, 1});
  }

  @Test
  final void aNewNameTakesFourCallsAndManyTakeFewerEach() {
    FaultPlan plan = new FaultPlan(1);
    UidTable uids = table(new FaultyStore(store, plan), 3, null);
    uids.assign(UidKind.TAGV, "first"); // looks whether numbers are left
    assertThat(plan.calls()).isEqualTo(5);
    uids.uidForWriting(UidKind.TAGV, "second");
    assertThat(plan.calls()).isEqualTo(5 + 4);
    List<String> names = IntStream.range(0, 500).mapToObj(i -> "n" + i).toList();
    Map<String, byte[]> given = uids.uidsForWriting(UidKind.TAGV, names);
    // What the names have, the numbers, what these have; two cells for each.
    assertThat(plan.calls()).isEqualTo(9 + 3 + 2 * 500);
    for (int i = 0; i < names.size(); i++) {
      byte[] uid = {0, (byte) ((i + 3) >> 8), (byte) (i + 3)};
      assertThat(given.get(names.get(i))).describedAs(names.get(i)).isEqualTo(uid);
      assertThat(cell(FORWARD, latin(names.get(i)), UidKind.TAGV)).isEqualTo(uid);
      assertThat(cell(REVERSE, uid, UidKind.TAGV)).isEqualTo(latin(names.get(i)));
    }
    assertThat(uids.usage(UidKind.TAGV).assigned()).isEqualTo(502);
    long before = plan.calls();
    assertThat(uids.uidsForWriting(UidKind.TAGV, names)).hasSize(500);
    assertThat(plan.calls()).describedAs("known").isEqualTo(before);
  }

  @Test
  final void manyNamesAreAssignedInTheirOrderAndEachOnce() {
    UidTable uids = table(store, 3, null);
    uids.assign(UidKind.METRIC, "known");
    List<String> names = List.of("b", "a", "known", "\u4e2d", "b", "\u0416", "?");
    Map<String, byte[]> given = table(store, 3, null).uidsForWriting(UidKind.METRIC, names);
    assertThat(given).containsOnlyKeys("a", "b", "known", "\u4e2d", "\u0416", "?");
    assertThat(given.get("known")).isEqualTo(new byte[] {0, 0, 1});
    assertThat(given.get("b")).isEqualTo(new byte[] {0, 0, 2});
    assertThat(given.get("a")).isEqualTo(new byte[] {0, 0, 3});
    assertThat(given.get("\u4e2d")).isEqualTo(given.get("?")).isEqualTo(given.get("\u0416"));
    assertThat(uids.usage(UidKind.METRIC).assigned()).isEqualTo(4);
    assertThatThrownBy(() -> uids.uidsForWriting(UidKind.METRIC, List.of("c", "")))
        .isInstanceOf(RequestException.class);
    assertThat(uids.find(UidKind.METRIC, "c")).isNull();
  }

  @Test
  final void ofManyNamesTheFirstGetTheNumbersThatAreLeft() {
    UidTable uids = table(store, 1, null);
    List<String> names = IntStream.rangeClosed(1, 300).mapToObj(i -> "v" + i).toList();
    uids.uidsForWriting(UidKind.TAGV, names.subList(0, 250));
    assertThatThrownBy(() -> uids.uidsForWriting(UidKind.TAGV, names))
        .isInstanceOf(UidAssignmentException.class)
        .hasMessageContaining("already assigned");
    assertThat(uids.find(UidKind.TAGV, "v255")).isEqualTo(new byte[] {(byte) 255});
    assertThat(uids.find(UidKind.TAGV, "v256")).isNull();
    assertThat(cell(FORWARD, COUNTER_ROW, UidKind.TAGV))
        .describedAs("the counter is not moved beyond the last number")
        .isEqualTo(new byte[] {0, 0, 0, 0, 0, 0, 0, (byte) 255});
  }

  @Test
  final void manyNewNamesPassNumbersThatAreTaken() {
    store.put(REVERSE, new byte[] {0, 0, 2}, latin("tagv"), latin("taken"));
    Map<String, byte[]> given =
        table(store, 3, null).uidsForWriting(UidKind.TAGV, List.of("a", "b", "c"));
    assertThat(given.get("a")).isEqualTo(new byte[] {0, 0, 1});
    assertThat(given.get("b")).isEqualTo(new byte[] {0, 0, 3});
    assertThat(given.get("c")).isEqualTo(new byte[] {0, 0, 4});
    assertThat(cell(REVERSE, new byte[] {0, 0, 2}, UidKind.TAGV)).isEqualTo(latin("taken"));
  }

  /** Several processes, each with its own faulty way to the one store, and many threads in each. */
  @Test
  final void oneNameGetsOneUidWhateverRacesAndFails() throws Exception {
    for (long seed = 1; seed <= 3; seed++) {
      race(seed, 4, 4, 60);
    }
  }

  private void race(long seed, int processes, int threads, int names) throws Exception {
    UidKind kind = UidKind.TAGV;
    String run = "seed" + seed;
    long before = table(store, 3, null).usage(kind).assigned();
    CyclicBarrier together = new CyclicBarrier(processes * threads);
    List<AssignmentLog> logs = new ArrayList<>();
    List<Callable<Map<String, String>>> tasks = new ArrayList<>();
    for (int p = 0; p < processes; p++) {
      FaultPlan plan = new FaultPlan(seed * 100 + p).failAll(0.03);
      AssignmentLog log = new AssignmentLog(new FaultyStore(store, plan));
      logs.add(log);
      UidTable uids = table(log, 3, null);
      for (int t = 0; t < threads; t++) {
        List<String> mine = new ArrayList<>();
        for (int i = 0; i < names; i++) {
          mine.add(run + "shared" + i);
          mine.add(run + "own" + p + "." + t + "." + i % 10);
        }
        tasks.add(() -> assignAll(uids, kind, mine, together));
      }
    }
    Map<String, String> answers = new TreeMap<>();
    for (Map<String, String> each : ConcurrentRunner.run(tasks)) {
      each.forEach(
          (name, uid) ->
              assertThat(answers.putIfAbsent(name, uid))
                  .describedAs("seed %d, %s", seed, name)
                  .isIn(null, uid));
    }

    Map<String, String> forward = forward(kind);
    forward.keySet().removeIf(name -> !name.startsWith(run));
    assertThat(forward).describedAs("seed %d", seed).isEqualTo(answers);
    assertThat(new HashSet<>(forward.values())).describedAs(run).hasSize(forward.size());
    forward.forEach(
        (name, uid) ->
            assertThat(cell(REVERSE, HexFormat.of().parseHex(uid), kind))
                .describedAs("seed %d, reverse of %s", seed, name)
                .isEqualTo(latin(name)));

    long handedOut = table(store, 3, null).usage(kind).assigned() - before;
    long answered = logs.stream().mapToLong(log -> log.increments.get()).sum();
    long lostRaces = logs.stream().mapToLong(log -> log.lost(forward)).sum();
    long lostNumbers = handedOut - answered;
    assertThat(handedOut - forward.size())
        .describedAs(
            "seed %d: leaked, of %d; %d races lost, %d numbers lost on the way",
            seed, handedOut, lostRaces, lostNumbers)
        .isBetween(0L, lostRaces + lostNumbers);
  }

  /** Assigns UIDs to names, each when all threads have come to their next name. */
  private static Map<String, String> assignAll(
      UidTable uids, UidKind kind, List<String> names, CyclicBarrier together) throws Exception {
    Map<String, String> answers = new TreeMap<>();
    for (String name : names) {
      together.await(1, TimeUnit.MINUTES);
      while (!answers.containsKey(name)) {
        try {
          // Every third one asks for several at once, as an import does.
          if (names.indexOf(name) % 3 == 0) {
            int from = names.indexOf(name);
            List<String> some = names.subList(from, Math.min(from + 3, names.size()));
            byte[] uid = uids.uidsForWriting(kind, some).get(name);
            answers.put(name, HexFormat.of().formatHex(uid == null ? new byte[0] : uid));
          } else {
            answers.put(name, HexFormat.of().formatHex(uids.uidForWriting(kind, name)));
          }
        } catch (StoreException e) {
          assertThat(e).hasMessageContaining("injected"); // so it is asked for again
        }
      }
    }
    return answers;
  }

  /** The forward map of a kind, as it is stored. */
  private Map<String, String> forward(UidKind kind) {
    byte[] qualifier = latin(kind.qualifier());
    Map<String, String> forward = new TreeMap<>();
    try (RowCursor rows = store.scan(FORWARD, Scan.all().columns(Columns.exactly(qualifier)))) {
      for (Row row = rows.next(); row != null; row = rows.next()) {
        if (!Arrays.equals(row.key(), COUNTER_ROW)) {
          forward.put(
              new String(row.key(), StandardCharsets.ISO_8859_1),
              HexFormat.of().formatHex(row.value(0)));
        }
      }
    }
    return forward;
  }

  /** The calls that one process has made of its store to assign UIDs. */
  private static final class AssignmentLog extends ForwardingStore {
    final AtomicLong increments = new AtomicLong();
    private final Set<Map.Entry<String, String>> published = ConcurrentHashMap.newKeySet();

    AssignmentLog(KeyValueStore delegate) {
      super(delegate);
    }

    @Override
    public long increment(Family family, byte[] row, byte[] qualifier, long delta) {
      long value = super.increment(family, row, qualifier, delta);
      increments.incrementAndGet();
      return value;
    }

    @Override
    public boolean compareAndSet(
        Family family,
        byte[] row,
        byte[] qualifier,
        byte @Nullable [] expected,
        byte @Nullable [] update) {
      if (family.equals(FORWARD) && update != null) {
        published.add(
            Map.entry(
                new String(row, StandardCharsets.ISO_8859_1), HexFormat.of().formatHex(update)));
      }
      return super.compareAndSet(family, row, qualifier, expected, update);
    }

    /** How many numbers came too late for their names. */
    long lost(Map<String, String> forward) {
      return published.stream()
          .filter(pair -> !pair.getValue().equals(forward.get(pair.getKey())))
          .count();
    }
  }
}
