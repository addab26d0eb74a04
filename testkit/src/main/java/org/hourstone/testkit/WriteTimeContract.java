package org.hourstone.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hourstone.testkit.Binary.bytes;
import static org.hourstone.testkit.Binary.number;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Trait;
import org.junit.jupiter.api.Test;

/** Write times: those that are given, and those that the store assigns. */
public abstract class WriteTimeContract extends StoreContract {
  @Test
  final void givenWriteTimesAreKeptExactly() {
    List<Long> times =
        List.of(
            0L,
            1L,
            255L,
            256L,
            (1L << 31) - 1,
            1L << 31,
            1L << 32,
            1_356_998_399_999L,
            1_356_998_400_000L);
    List<Change> changes = new ArrayList<>();
    for (int i = 0; i < times.size(); i++) {
      changes.add(new Change.PutIfNewer(number(i), bytes("v"), times.get(i)));
      put(number(i), bytes("other"), bytes("v"));
      store()
          .mutate(
              family(),
              List.of(
                  new RowMutation(
                      number(i), new Change.PutIfNewer(bytes("alone"), bytes("v"), times.get(i)))));
    }
    store().mutate(family(), List.of(new RowMutation(bytes("row"), changes)));

    Row row = get(bytes("row"));
    for (int i = 0; i < times.size(); i++) {
      assertThat(row.writeTime(i)).isEqualTo(times.get(i));
      Row alone = store().get(family(), number(i), Columns.exactly(bytes("alone")));
      assertThat(alone.writeTime(0)).isEqualTo(times.get(i));
    }
  }

  @Test
  final void manyWriteTimesOfOneRowAreKeptThroughLaterChanges() {
    RandomGenerator random = random(0);
    long[] times = new long[500];
    for (int i = 0; i < times.length; i++) {
      times[i] = random.nextLong(1L << (1 + random.nextInt(40)));
      store()
          .mutate(
              family(),
              List.of(
                  new RowMutation(
                      bytes("row"), new Change.PutIfNewer(number(i), bytes("v"), times[i]))));
    }
    store()
        .mutate(family(), List.of(new RowMutation(bytes("row"), new Change.Delete(number(250)))));
    put(bytes("row"), bytes("later"), bytes("v"));

    Row row = get(bytes("row"));
    for (int i = 0; i < times.length; i++) {
      int at = row.indexOf(number(i));
      if (i == 250) {
        assertThat(at).isNegative();
      } else {
        assertThat(row.writeTime(at)).isEqualTo(times[i]);
      }
    }
  }

  @Test
  final void anIncrementGivesTheCellItsOwnTime() {
    store().increment(family(), bytes("row"), bytes("q"), 1);
    long first = get(bytes("row")).writeTime(0);
    passTime();
    store().increment(family(), bytes("row"), bytes("q"), 1);

    assertThat(get(bytes("row")).writeTime(0)).as("time of the second").isGreaterThan(first);
  }

  @Test
  final void assignedTimesAreMilliseconds() {
    assumeTrue(subject().takesFixtureClock(), "the store has a clock of its own");
    fixture().clock().advance(Duration.ofMillis(1_789));
    put(bytes("row"), bytes("q"), bytes("v"));
    long now = fixture().clock().millis();

    assertThat(get(bytes("row")).writeTime(0)).isBetween(now, now + 20);
  }

  /** A clock that was set back must not protect cells from their deletion. */
  @Test
  final void aCellDatedAfterNowIsDeleted() {
    assumeTrue(subject().takesFixtureClock(), "the store has a clock of its own");
    fixture().clock().advance(Duration.ofHours(1));
    put(bytes("row"), bytes("deleted"), bytes("v"));
    put(bytes("row"), bytes("kept"), bytes("v"));
    put(bytes("gone"), bytes("q"), bytes("v"));
    fixture().clock().advance(Duration.ofHours(-1));
    Change cell = new Change.Delete(bytes("deleted"));
    store().mutate(family(), List.of(new RowMutation(bytes("row"), cell)));
    store().mutate(family(), List.of(new RowMutation(bytes("gone"), new Change.DeleteRow())));

    assertThat(cells(get(bytes("row")))).isEqualTo(cells(bytes("kept"), bytes("v")));
    assertThat(get(bytes("gone")).isEmpty()).as("the deleted row is gone").isTrue();
  }

  @Test
  final void aGivenTimeInTheFutureIsLoweredToTheStoresClock() {
    List<Long> times = List.of(Change.MAX_WRITE_TIME, Change.MAX_WRITE_TIME - 1, 1L << 43);
    for (long time : times) {
      byte[] row = number(time);
      put(row, bytes("before"), bytes("v"));
      passTime();
      Change dated = new Change.PutIfNewer(bytes("dated"), bytes("v"), time);
      store().mutate(family(), List.of(new RowMutation(row, dated)));
      passTime();
      Cell replacement = new Cell(bytes("replaced"), bytes("v"), time);
      assertThat(store().replaceCells(family(), Row.empty(row), List.of(replacement))).isTrue();
      passTime();
      put(row, bytes("then"), bytes("v"));

      Row written = get(row);
      long[] order =
          Stream.of("before", "dated", "replaced", "then")
              .mapToLong(name -> written.writeTime(written.indexOf(bytes(name))))
              .toArray();
      assertThat(order).as("times of cells written one after the other").isSorted();
      assertThat(order[3]).as("the last one's is later").isGreaterThan(order[2]);
    }
  }

  @Test
  final void aPutIfNewerStaysBehindALaterCell() {
    putDated("newer", 2_000);
    putDated("older", 1_000);
    assertThat(get(bytes("row")).find(bytes("q"))).isEqualTo(bytes("newer"));
    assertThat(get(bytes("row")).writeTime(0)).isEqualTo(2_000);

    putDated("equal", 2_000);
    assertThat(get(bytes("row")).find(bytes("q"))).as("put last").isEqualTo(bytes("equal"));
    assertThat(get(bytes("row")).writeTime(0)).isEqualTo(2_000);

    putDated("newest", 2_001);
    assertThat(get(bytes("row")).find(bytes("q"))).isEqualTo(bytes("newest"));

    put(bytes("row"), bytes("q"), bytes("put"));
    putDated("older", 2_002);
    assertThat(get(bytes("row")).find(bytes("q"))).isEqualTo(bytes("put"));
  }

  @Test
  final void aPutIfNewerThatStaysBehindKeepsTheOtherChanges() {
    Change behind = new Change.PutIfNewer(bytes("q"), bytes("older"), 1_000);
    List<Change> others =
        List.of(
            new Change.Put(bytes("a"), bytes("new")),
            new Change.Append(bytes("b"), bytes("new")),
            new Change.Delete(bytes("d")),
            new Change.PutIfNewer(bytes("e"), bytes("new"), 2_000));
    for (int at = 0; at <= others.size(); at++) {
      byte[] row = number(at);
      put(row, bytes("q"), bytes("newer"));
      put(row, bytes("d"), bytes("old"));
      passTime();
      List<Change> changes = new ArrayList<>(others.subList(0, at == 0 ? 4 : 3));
      changes.add(Math.min(at, changes.size()), behind);
      store().mutate(family(), List.of(new RowMutation(row, changes)));

      assertThat(
              cells(
                  store()
                      .get(
                          family(),
                          row,
                          Columns.exactly(bytes("a"), bytes("b"), bytes("d"), bytes("q")))))
          .as("beside a put that stays behind at place %d", at)
          .isEqualTo(
              cells(
                  bytes("a"), bytes("new"), bytes("b"), bytes("new"), bytes("q"), bytes("newer")));
      if (at == 0) {
        assertThat(get(row).find(bytes("e"))).as("the next dated put").isEqualTo(bytes("new"));
      }
    }
  }

  @Test
  final void theNewestOfConcurrentPutsIfNewerStays() throws Exception {
    assertNewestStays(List.of(store(), store(), store()), family(), random(0));
  }

  /**
   * Each store puts dated cells in a random order, all concurrently: from the moment that one is
   * acknowledged, no older one is read.
   */
  static void assertNewestStays(List<KeyValueStore> stores, Family family, RandomGenerator random)
      throws Exception {
    int each = 40;
    for (int round = 0; round < 5; round++) {
      byte[] row = number(round);
      List<Long> times = new ArrayList<>();
      for (long i = 1; i <= (long) each * stores.size(); i++) {
        times.add(i * 1_000);
      }
      Collections.shuffle(times, new Random(random.nextLong()));
      AtomicLong acknowledged = new AtomicLong();
      ConcurrentRunner.run(
          stores.size(),
          writer ->
              () -> {
                for (long time : times.subList(writer * each, (writer + 1) * each)) {
                  Change dated = new Change.PutIfNewer(bytes("q"), number(time), time);
                  stores.get(writer).mutate(family, List.of(new RowMutation(row, dated)));
                  long greatest = acknowledged.accumulateAndGet(time, Math::max);
                  assertThat(stores.get(writer).get(family, row, Columns.all()).writeTime(0))
                      .as("the time read after a put of time %d was acknowledged", greatest)
                      .isGreaterThanOrEqualTo(greatest);
                }
                return null;
              });

      Row newest = stores.get(0).get(family, row, Columns.all());
      assertThat(newest.writeTime(0)).as("the greatest time put").isEqualTo(Collections.max(times));
      assertThat(newest.value(0)).isEqualTo(number(newest.writeTime(0)));
    }
  }

  /** 2^41 ms are reached in 2039, 2^32 s in 2106. */
  @Test
  final void writeTimesAreKeptInEveryYear() {
    assumeTrue(subject().takesFixtureClock(), "the store has a clock of its own");
    for (int year : new int[] {2025, 2038, 2040, 2107, 2262, 2500}) {
      Instant start = Instant.parse(year + "-01-01T00:00:00Z");
      fixture().clock().advance(Duration.between(fixture().clock().instant(), start));
      byte[] row = number(year);
      put(row, bytes("q"), bytes("v"));
      long now = fixture().clock().millis();
      assertThat(get(row).writeTime(0)).as("in %d", year).isBetween(now, now + 1_000);
      passTime();
      assertThat(
              store()
                  .replaceCells(family(), get(row), List.of(new Cell(bytes("q"), bytes("w"), now))))
          .as("replaced in %d", year)
          .isTrue();
      assertThat(get(row).writeTime(0)).as("a time given in %d", year).isEqualTo(now);
    }
  }

  @Test
  final void aMutationWithADatedPutIsLaterThanTheRow() {
    assumeTrue(has(Trait.MONOTONIC_WRITE_TIMES), "MONOTONIC_WRITE_TIMES is not promised");
    byte[] row = bytes("row");
    put(row, bytes("first"), bytes("v"));
    fixture().clock().advance(Duration.ofSeconds(-5));
    store()
        .mutate(
            family(),
            List.of(
                new RowMutation(
                    row,
                    List.of(
                        new Change.PutIfNewer(bytes("dated"), bytes("v"), 1_000),
                        new Change.Put(bytes("then"), bytes("v"))))));

    Row written = get(row);
    assertThat(written.writeTime(written.indexOf(bytes("then"))))
        .as("beside a dated put, with the clock set back")
        .isGreaterThan(written.writeTime(written.indexOf(bytes("first"))));
  }

  private void putDated(String value, long time) {
    Change put = new Change.PutIfNewer(bytes("q"), bytes(value), time);
    store().mutate(family(), List.of(new RowMutation(bytes("row"), put)));
  }

  @Test
  final void writeTimesTheStoreAssignsComeFromTheClockItWasGiven() {
    assumeTrue(subject().takesFixtureClock(), "the store has a clock of its own");
    for (int round = 0; round < 3; round++) {
      fixture().clock().advance(Duration.ofHours(1));
      long now = fixture().clock().millis();
      byte[] row = number(round);
      put(row, bytes("put"), bytes("v"));
      store().append(family(), row, bytes("append"), bytes("v"));
      store().increment(family(), row, bytes("increment"), 1);
      store().compareAndSet(family(), row, bytes("cas"), null, bytes("v"));
      store()
          .replaceCells(family(), Row.empty(row), List.of(new Cell(bytes("replace"), bytes("v"))));

      Row written = get(row);
      assertThat(written.size()).isEqualTo(5);
      for (int i = 0; i < written.size(); i++) {
        // A store with monotonic write times may be a little ahead of a clock that does not
        // advance.
        assertThat(written.writeTime(i))
            .as(Binary.text(written.qualifier(i)))
            .isBetween(now, now + (has(Trait.MONOTONIC_WRITE_TIMES) ? 1_000 : 0));
      }
    }
  }

  @Test
  final void aLaterWriteIsNotDatedEarlier() {
    put(bytes("row"), bytes("first"), bytes("v"));
    passTime();
    put(bytes("row"), bytes("then"), bytes("v"));

    Row row = get(bytes("row"));
    assertThat(row.writeTime(row.indexOf(bytes("then"))))
        .isGreaterThan(row.writeTime(row.indexOf(bytes("first"))));
  }

  @Test
  final void anAppendGivesTheCellItsOwnTime() {
    store()
        .mutate(
            family(),
            List.of(
                new RowMutation(
                    bytes("row"), new Change.PutIfNewer(bytes("q"), bytes("v"), 1_000))));
    store().append(family(), bytes("row"), bytes("q"), bytes("w"));
    long first = get(bytes("row")).writeTime(0);
    passTime();
    store().append(family(), bytes("row"), bytes("q"), bytes("x"));
    long second = get(bytes("row")).writeTime(0);

    assertThat(first).isGreaterThan(1_000);
    assertThat(second).isGreaterThan(first);
  }

  @Test
  final void theChangesOfOneMutationShareTheTimeTheStoreAssigns() {
    List<Change> changes =
        List.of(
            new Change.Put(bytes("a"), bytes("v")),
            new Change.Append(bytes("b"), bytes("v")),
            new Change.Put(bytes("c"), bytes("v")));
    store().mutate(family(), List.of(new RowMutation(bytes("row"), changes)));

    Row row = get(bytes("row"));
    assertThat(row.writeTime(1)).isEqualTo(row.writeTime(0));
    assertThat(row.writeTime(2)).isEqualTo(row.writeTime(0));
  }
}
