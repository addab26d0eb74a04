package org.hourstone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import org.hourstone.head.Acknowledgement;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.KeyValueStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class StoreOwnershipTest extends OwnedStoreCase {
  /** A database that keeps no points in a head. */
  enum Headless {
    BY_SETTING {
      @Override
      TsdbOptions of(TsdbOptions options) {
        return withoutHead(options);
      }
    },
    BY_FLUSH_INTERVAL {
      @Override
      TsdbOptions of(TsdbOptions options) {
        return options.with(Settings.HEAD, "auto").with(Settings.FLUSH_INTERVAL, "0");
      }
    },
    BY_APPENDS {
      @Override
      TsdbOptions of(TsdbOptions options) {
        return options.with(Settings.HEAD, "auto").with(Settings.ENABLE_APPENDS, "true");
      }
    },
    STRICT {
      @Override
      TsdbOptions of(TsdbOptions options) {
        return TsdbOptions.openTsdbDefaults()
            .withClock(options.clock())
            .with(Settings.AUTO_CREATE_METRICS, "true")
            .with(QuerySettings.FIX_DUPLICATES, "true");
      }
    };

    abstract TsdbOptions of(TsdbOptions options);
  }

  @ParameterizedTest
  @EnumSource(Headless.class)
  void noDatabaseUndoesWhatAnotherWritesOrDeletes(Headless kind) {
    for (boolean old : new boolean[] {false, true}) {
      for (boolean headlessFirst : new boolean[] {true, false}) {
        KeyValueStore shared = copyOf(store);
        if (old) {
          Tsdb.over(shared, options()).close();
        }
        KeyValueStore other = headlessFirst ? handleOn(shared) : new ForwardingStore(shared) {};
        TsdbOptions first = headlessFirst ? kind.of(options()) : options();
        TsdbOptions second = headlessFirst ? options() : kind.of(options());
        try (Tsdb one = Tsdb.over(shared, first);
            Tsdb two = Tsdb.over(other, second)) {
          put(two, 0, 1);
          put(one, 0, 2);
          put(one, 1, 3);
          put(two, 1, 4);
          assertThat(points(one)).isEqualTo(points(two)).isEqualTo(Map.of(0L, "2", 1L, "4"));
          assertThat(one.delete(all())).isEqualTo(2);
          put(two, 2, 5);
          one.flush();
          two.flush();
          assertThat(points(one)).isEqualTo(points(two)).isEqualTo(Map.of(2L, "5"));
          assertThat(two.engine().acknowledgement()).isNotEqualTo(Acknowledgement.JOURNAL);
        }
        try (Tsdb alone = Tsdb.over(shared, options())) {
          assertThat(alone.engine().acknowledgement()).isEqualTo(Acknowledgement.JOURNAL);
          assertThat(points(alone)).isEqualTo(Map.of(2L, "5"));
        }
      }
    }
  }

  @Test
  void aCopyOfTheStoreDoesNotTouchTheLiveDatabase() {
    try (Tsdb live = Tsdb.over(store, options())) {
      put(live, 0, 1);
      KeyValueStore backup = copyOf(store);
      try (Tsdb copy = Tsdb.over(backup, options())) {
        assertThat(points(copy)).isEqualTo(Map.of(0L, "1"));
        put(copy, 0, 7);
        assertThat(Objects.requireNonNull(copy.headStats()).rows()).isEqualTo(1);
      }
      try (Tsdb again = Tsdb.over(backup, options())) {
        assertThat(points(again)).isEqualTo(Map.of(0L, "7"));
      }
      put(live, 10, 2);
      assertThat(Objects.requireNonNull(live.headStats()))
          .satisfies(stats -> assertThat(stats.rows()).isEqualTo(1))
          .satisfies(stats -> assertThat(stats.sealed()).isZero());
      assertThat(points(live)).isEqualTo(Map.of(0L, "1", 10L, "2"));
    }
  }

  /** Over the store itself, and over what another handle shows of it. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aReadOnlyViewDoesNotTouchTheLiveDatabase(boolean otherHandle) {
    try (Tsdb live = Tsdb.over(store, options())) {
      put(live, 0, 1);
      try (Tsdb view = Tsdb.over(readOnly(otherHandle ? handleOn(store) : store), options())) {
        assertThat(points(view)).isEqualTo(Map.of(0L, "1"));
        put(live, 10, 2);
      }
      assertThat(Objects.requireNonNull(live.headStats()).sealed()).isZero();
      assertThat(points(live)).isEqualTo(Map.of(0L, "1", 10L, "2"));
    }
  }

  @Test
  void anOpeningThatFailedLeavesNothing() {
    TsdbOptions contradictory = options().with(QuerySettings.FIX_DUPLICATES, "false");
    assertThatIllegalArgumentException().isThrownBy(() -> Tsdb.over(store, contradictory));
    try (Tsdb alone = Tsdb.over(store, options())) {
      assertThat(alone.engine().acknowledgement()).isEqualTo(Acknowledgement.JOURNAL);
    }
  }

  /** Any number of databases over any handles, opened and closed in any order. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void theNewestAcknowledgedPointIsReadInAnyOrder(long seed) {
    Random random = new Random(seed);
    Map<Long, String> expected = new TreeMap<>();
    List<Tsdb> open = new ArrayList<>();
    try (Tsdb first = Tsdb.over(store, options())) {
      put(first, 0, 0);
      expected.put(0L, "0");
    }
    for (int i = 0; i < 400; i++) {
      if (open.isEmpty() || (open.size() < 4 && random.nextInt(10) == 0)) {
        KeyValueStore handle = random.nextBoolean() ? handleOn(store) : store;
        TsdbOptions options = options();
        Headless[] kinds = {Headless.BY_SETTING, Headless.BY_FLUSH_INTERVAL, Headless.BY_APPENDS};
        open.add(
            Tsdb.over(
                handle, random.nextBoolean() ? options : kinds[random.nextInt(3)].of(options)));
      }
      Tsdb db = open.get(random.nextInt(open.size()));
      switch (random.nextInt(12)) {
        case 0 -> {
          db.close();
          open.remove(db);
        }
        case 1 -> {
          db.delete(all());
          expected.clear();
        }
        case 2 -> db.flush();
        case 3 -> compact(db);
        default -> {
          long second = random.nextInt(20);
          put(db, second, i);
          expected.put(second, String.valueOf(i));
        }
      }
      if (!open.isEmpty()) {
        clock.advance(Duration.ofSeconds(random.nextInt(60)));
        Tsdb reader = open.get(random.nextInt(open.size()));
        assertThat(points(reader)).as("seed %s, step %s", seed, i).isEqualTo(expected);
      }
    }
    open.forEach(Tsdb::close);
  }
}
