package org.hourstone.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hourstone.testkit.Binary.bytes;
import static org.hourstone.testkit.Binary.number;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Change;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.Trait;
import org.junit.jupiter.api.Test;

/**
 * A store's description of itself is correct: a present trait holds, and without it the weaker
 * guarantee does. DURABLE and SHARED are also tested in {@link DurabilityContract} and {@link
 * SharedHandlesContract}, extensions in {@link ExtensionContract}. MANAGED_TABLES promises nothing
 * that could be tested.
 */
public abstract class TraitContract extends StoreContract {
  private static final byte[] ROW = bytes("row");
  private static final byte[] Q = bytes("q");

  @Test
  final void traitsStayAsTheyAre() {
    Set<Trait> before = Set.copyOf(store().traits());
    put(ROW, Q, bytes("v"));
    passTime();

    assertThat(store().traits()).isEqualTo(before);
    reopen();
    assertThat(store().traits()).isEqualTo(before);
  }

  @Test
  final void aPutAfterADeletionIsVisible() {
    for (int i = 0; i < 100; i++) {
      byte[] value = number(i);
      put(ROW, Q, value);
      assertThat(get(ROW).find(Q)).as("put %d", i).isEqualTo(value);
      delete(new Change.Delete(Q));
      put(ROW, Q, value);
      assertThat(get(ROW).find(Q)).as("put after delete %d", i).isEqualTo(value);
      delete(new Change.DeleteRow());
      put(ROW, Q, value);
      assertThat(get(ROW).find(Q)).as("put after row deletion %d", i).isEqualTo(value);
      store().compareAndSet(family(), ROW, Q, value, null);
      store().append(family(), ROW, Q, value);
      assertThat(get(ROW).find(Q)).as("append after removal %d", i).isEqualTo(value);
      store().replaceCells(family(), get(ROW), List.of());
      assertThat(store().compareAndSet(family(), ROW, Q, null, value)).isTrue();
      assertThat(get(ROW).find(Q)).as("compare-and-set after removal %d", i).isEqualTo(value);
      delete(new Change.Delete(Q));
      assertThat(store().increment(family(), ROW, Q, i)).isEqualTo(i);
      assertThat(get(ROW).find(Q)).as("increment after delete %d", i).isEqualTo(value);
      delete(new Change.Delete(Q));
      if (isAcknowledged(new Change.PutIfNewer(Q, value, 1_000))) {
        assertThat(get(ROW).find(Q)).as("dated put after delete %d", i).isEqualTo(value);
      }
      delete(new Change.Delete(Q));
    }
  }

  /** A cell that is dated before its deletion may be REJECTED, but not acknowledged and hidden. */
  private boolean isAcknowledged(Change change) {
    try {
      store().mutate(family(), List.of(new RowMutation(ROW, change)));
      return true;
    } catch (StoreException e) {
      assertThat(e.outcome()).isEqualTo(StoreException.Outcome.REJECTED);
      return false;
    }
  }

  @Test
  final void withMonotonicWriteTimesEveryChangeOfARowIsLaterThanTheLast() {
    assumeTrue(has(Trait.MONOTONIC_WRITE_TIMES), "MONOTONIC_WRITE_TIMES is not promised");
    long last = -1;
    for (int i = 0; i < 60; i++) {
      if (i == 30) {
        fixture().clock().advance(Duration.ofSeconds(-5));
      }
      put(ROW, Q, bytes("v"));
      last = assertLater(last, "put");
      put(ROW, Q, bytes("v"));
      last = assertLater(last, "the same put");
      store().append(family(), ROW, Q, bytes("w"));
      last = assertLater(last, "append");
      delete(new Change.Delete(Q));
      store().increment(family(), ROW, Q, 1);
      last = assertLater(last, "increment after delete");
      store().compareAndSet(family(), ROW, Q, number(1), bytes("v"));
      last = assertLater(last, "compare-and-set");
      store().replaceCells(family(), get(ROW), List.of(new Cell(Q, bytes("w"))));
      last = assertLater(last, "replacement");
      delete(new Change.DeleteRow());
      store().replaceCells(family(), Row.empty(ROW), List.of(new Cell(Q, bytes("w"))));
      last = assertLater(last, "replacement after row deletion");
      Change dated = new Change.PutIfNewer(bytes("dated"), bytes("v"), i % 3 * 1_000L);
      store().mutate(family(), List.of(new RowMutation(ROW, dated)));
      store().compareAndSet(family(), ROW, Q, bytes("w"), null);
      put(ROW, Q, bytes("v"));
      last = assertLater(last, "put after removal");
      delete(new Change.DeleteRow());
      store().mutate(family(), List.of(new RowMutation(ROW, dated)));
      put(ROW, Q, bytes("v"));
      last = assertLater(last, "put after a dated put after row deletion");
    }
  }

  @Test
  final void monotonicWriteTimesOutliveTheHandle() {
    assumeTrue(has(Trait.MONOTONIC_WRITE_TIMES), "MONOTONIC_WRITE_TIMES is not promised");
    assumeTrue(has(Trait.DURABLE), "DURABLE is not promised");
    for (int i = 0; i < 30; i++) {
      put(ROW, Q, bytes("v"));
    }
    long last = assertLater(-1, "put");
    fixture().clock().advance(Duration.ofHours(-1));
    reopen();
    put(ROW, Q, bytes("v"));
    last = assertLater(last, "put after reopening with the clock set back");

    Change dated = new Change.PutIfNewer(bytes("dated"), bytes("v"), Change.MAX_WRITE_TIME);
    store().mutate(family(), List.of(new RowMutation(ROW, dated)));
    long given = get(ROW).writeTime(get(ROW).indexOf(bytes("dated")));
    delete(new Change.Delete(bytes("dated")));
    reopen();
    put(ROW, Q, bytes("v"));
    assertLater(Math.max(last, given), "put after a given time and reopening");
  }

  @Test
  final void monotonicWriteTimesHoldAcrossHandles() {
    assumeTrue(has(Trait.MONOTONIC_WRITE_TIMES), "MONOTONIC_WRITE_TIMES is not promised");
    assumeTrue(has(Trait.SHARED), "SHARED is not promised");
    try (KeyValueStore other = subject().open(fixture())) {
      long last = -1;
      for (int i = 0; i < 20; i++) {
        (i % 2 == 0 ? store() : other).put(family(), ROW, Q, bytes("v"));
        last = assertLater(last, "put by one of two handles in turn");
      }
    }
  }

  private long assertLater(long last, String what) {
    Row row = get(ROW);
    long time = row.writeTime(row.indexOf(Q));
    assertThat(time).as(what).isGreaterThan(last);
    return time;
  }

  private void delete(Change deletion) {
    store().mutate(family(), List.of(new RowMutation(ROW, deletion)));
  }
}
