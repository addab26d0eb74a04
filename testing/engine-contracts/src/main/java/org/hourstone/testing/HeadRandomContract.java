package org.hourstone.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.hourstone.Settings;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.query.Query;
import org.hourstone.testkit.store.MortalStore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Random writes, seals, deletions, failures of the store, deaths, and second databases, with a head
 * or without, compared with a map: acknowledged points stay, and nothing else is read.
 */
public abstract class HeadRandomContract extends HeadCase implements RepeatedCases {
  private static final int CASES = 200;

  /** One case in this number has a series index, which retries while a store fails: slow. */
  private static final int INDEXED = 20;

  /**
   * {@code -Dhourstone.head.seed=…} plays one case alone, {@code -Dhourstone.head.cases=…} more.
   */
  @Test
  final void whateverFailsAcknowledgedPointsAreReadAndNoOthers() {
    Long only = Long.getLong("hourstone.head.seed");
    long last = only == null ? Integer.getInteger("hourstone.head.cases", scaled(CASES)) : only;
    for (long seed = only == null ? 1 : only; seed <= last; seed++) {
      new Case(seed).play();
    }
  }

  private final class Case {
    private final long seed;
    private final RandomGenerator random;
    private final String metric;

    /** Beside the other database, which has a head or had one, perhaps. */
    private @Nullable Tsdb second;

    /** The values that may be read at a timestamp: one, several after unknown outcomes, or none. */
    private final Map<String, NavigableMap<Instant, List<Double>>> possible = new TreeMap<>();

    Case(long seed) {
      this.seed = seed;
      this.random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
      this.metric = "m" + seed;
    }

    void play() {
      db.close();
      db = Tsdb.over(mortal, options(true));
      for (int host = 0; host < 3; host++) {
        db.writer().series(metric, Map.of("host", "h" + host));
      }
      for (int i = 0; i < 60; i++) {
        switch (random.nextInt(14)) {
          case 0 -> fixture.clock().advance(Duration.ofMinutes(random.nextInt(90)));
          case 1 -> {
            mortal.dieAfter(random.nextInt(4), random.nextBoolean());
            change(9);
            change(9);
            dieAll();
          }
          case 2 -> dieAll();
          case 3 -> fail();
          default -> change(random.nextInt(10));
        }
        if (random.nextInt(6) == 0) {
          check();
        }
      }
      check();
      attempt(this::closeSecond);
      attempt(db::close);
      db = Tsdb.over(mortal, options(true));
      check();
    }

    private TsdbOptions options(boolean head) {
      return HeadRandomContract.this
          .options()
          .with(Settings.HEAD, head ? "true" : "false")
          .with(Settings.FLUSH_INTERVAL, "0") // else who waits for a point waits a second
          .with(Settings.INDEX_ENABLE, seed % INDEXED == 0 ? "true" : "false");
    }

    /** The store fails for a while: its writes, or all that is done with it. */
    private void fail() {
      if (random.nextBoolean()) {
        mortal.failAfter(random.nextInt(6));
      } else {
        mortal.dieAfter(random.nextInt(6), random.nextBoolean());
      }
      for (int i = random.nextInt(6); i >= 0; i--) {
        change(random.nextInt(8));
      }
      mortal.recover();
    }

    private void dieAll() {
      mortal.die();
      attempt(this::closeSecond);
      die(options(random.nextBoolean()));
    }

    private void change(int what) {
      switch (what) {
        case 0 -> attempt(() -> any().flush());
        case 1 -> delete();
        case 2 -> openOrClose();
        default -> put();
      }
    }

    private Tsdb any() {
      return second == null || random.nextBoolean() ? db : second;
    }

    /** Opens a second database, or closes one of two. */
    private void openOrClose() {
      if (second == null) {
        attempt(() -> second = Tsdb.over(mortal, options(random.nextBoolean())));
      } else if (random.nextBoolean()) {
        attempt(this::closeSecond);
      } else {
        attempt(db::close);
        db = second;
        second = null;
      }
    }

    private void closeSecond() {
      Tsdb closing = second;
      second = null;
      if (closing != null) {
        closing.close();
      }
    }

    /** Returns whether it is acknowledged. */
    private boolean attempt(Runnable action) {
      try {
        action.run();
        return true;
      } catch (RuntimeException e) {
        assertThat(e).as("seed %s", seed).hasStackTraceContaining(MortalStore.DEAD);
        return false;
      }
    }

    private void put() {
      String host = "h" + random.nextInt(3);
      Tags tags = Tags.of("host", host);
      Instant at = HOUR.plusSeconds(900L * random.nextInt(12)).plusMillis(random.nextInt(3));
      double value = random.nextInt(1000) / 8.0;
      Tsdb to = any();
      boolean stored =
          attempt(
              () -> {
                if (value == Math.rint(value)) {
                  to.put(metric, at, (long) value, tags).join();
                } else {
                  to.put(metric, at, value, tags).join();
                }
              });
      List<Double> of =
          possible
              .computeIfAbsent(host, name -> new TreeMap<>())
              .computeIfAbsent(at, instant -> new ArrayList<>());
      if (stored) {
        of.clear();
      } else if (of.isEmpty()) {
        of.add(Double.NaN); // none
      }
      of.add(value);
    }

    private void delete() {
      Instant at = HOUR.plusSeconds(900L * random.nextInt(12));
      Query query = Query.metric(metric).betweenMillis(at.toEpochMilli(), at.toEpochMilli() + 2);
      Tsdb from = any();
      boolean deleted = attempt(() -> from.delete(query));
      for (NavigableMap<Instant, List<Double>> points : possible.values()) {
        Map<Instant, List<Double>> among = points.subMap(at, at.plusMillis(3));
        if (deleted) {
          among.clear();
        } else {
          among.values().forEach(values -> values.add(Double.NaN));
        }
      }
    }

    private void check() {
      possible.forEach(
          (host, expected) -> {
            Map<Instant, Double> read = points(metric, Tags.of("host", host));
            assertThat(expected.keySet()).as("seed %s, %s", seed, host).containsAll(read.keySet());
            expected.forEach(
                (at, values) ->
                    assertThat(values)
                        .as("seed %s, %s %s", seed, host, at)
                        .contains(read.getOrDefault(at, Double.NaN)));
          });
    }
  }
}
