package org.hourstone.kv.memory;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.FamilySpec;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.KeyValueStores;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.SchemaMode;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreOptions;
import org.hourstone.kv.memory.MemoryStore.Promises;
import org.hourstone.testkit.ManualClock;
import org.junit.jupiter.api.Test;

class MemoryStoreTest {
  private static final Family DATA = new Family("data", "t");
  private static final byte[] ROW = bytes("row");
  private static final byte[] Q = bytes("q");

  private final ManualClock clock = new ManualClock(Instant.parse("2013-01-01T00:00:00Z"));
  private final StoreOptions options = new StoreOptions(clock);

  @Test
  void storesOfOneNameShareTheirDataUntilTheLastIsClosed() {
    KeyValueStore first = ready(KeyValueStores.open("memory:shared"));
    KeyValueStore second = KeyValueStores.open("memory:shared");
    first.put(DATA, ROW, Q, bytes("v"));
    assertThat(value(second)).isEqualTo(bytes("v"));

    first.close();
    assertThatThrownBy(() -> value(first)).isInstanceOf(IllegalStateException.class);
    second.append(DATA, ROW, Q, bytes("w"));
    first.close();
    KeyValueStore third = KeyValueStores.open("memory:shared");
    assertThat(value(third)).isEqualTo(bytes("vw"));

    second.close();
    third.close();
    try (KeyValueStore later = KeyValueStores.open("memory:shared")) {
      assertThat(later.families()).isEmpty();
    }
  }

  @Test
  void storesWithoutANameShareNothing() {
    try (KeyValueStore first = ready(KeyValueStores.open("memory:"));
        KeyValueStore second = KeyValueStores.open("memory:");
        KeyValueStore third = MemoryStore.open()) {
      assertThat(first.families()).containsExactly(DATA);
      assertThat(second.families()).isEmpty();
      assertThat(third.families()).isEmpty();
    }
  }

  @Test
  void oneNameMakesOnePromise() {
    try (KeyValueStore weak = KeyValueStores.open("memory:promise?like=hbase")) {
      assertThat(weak.traits()).isEmpty();
      assertThatThrownBy(() -> KeyValueStores.open("memory:promise"))
          .isInstanceOfSatisfying(
              StoreException.class,
              refused -> assertThat(refused.outcome()).isEqualTo(StoreException.Outcome.REJECTED))
          .hasMessageContaining("memory:promise");
    }
    KeyValueStores.open("memory:promise").close();
  }

  @Test
  void unknownParametersAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> KeyValueStores.open("memory:x?lik=hbase"))
        .withMessageContainingAll("lik", "like");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> KeyValueStores.open("memory:x?like=rocksdb"))
        .withMessageContainingAll("rocksdb", "hbase");
  }

  @Test
  void timesRunAheadOfAClockThatStandsStillAndFollowItWhenItMoves() {
    long now = clock.millis();
    try (KeyValueStore store = ready(MemoryStore.open(options, Promises.FULL))) {
      for (int i = 0; i < 5; i++) {
        store.put(DATA, ROW, Q, bytes("v"));
        assertThat(row(store).writeTime(0)).isEqualTo(now + i);
      }
      store.put(DATA, bytes("another"), Q, bytes("v"));
      assertThat(store.get(DATA, bytes("another"), Columns.all()).writeTime(0)).isEqualTo(now);

      clock.advance(Duration.ofSeconds(1));
      store.put(DATA, ROW, Q, bytes("v"));
      assertThat(row(store).writeTime(0)).isEqualTo(now + 1_000);
    }
  }

  @Test
  void aRowThatIsGoneIsRememberedByItsTime() {
    try (KeyValueStore store = ready(MemoryStore.open(options, Promises.FULL))) {
      store.put(DATA, ROW, Q, bytes("v"));
      store.put(DATA, ROW, Q, bytes("v"));
      long last = row(store).writeTime(0);
      store.mutate(DATA, List.of(new RowMutation(ROW, new Change.DeleteRow())));
      assertThat(row(store).isEmpty()).isTrue();

      store.put(DATA, ROW, Q, bytes("v"));
      assertThat(row(store).writeTime(0)).isEqualTo(last + 1);
    }
  }

  @Test
  void likeHbaseWritesOfOneMillisecondShareTheirTime() {
    try (KeyValueStore store = ready(MemoryStore.open(options, Promises.LIKE_HBASE))) {
      store.put(DATA, ROW, Q, bytes("v"));
      long first = row(store).writeTime(0);
      store.put(DATA, ROW, Q, bytes("w"));

      assertThat(value(store)).isEqualTo(bytes("w"));
      assertThat(row(store).writeTime(0)).isEqualTo(first);
    }
  }

  @Test
  void likeHbaseWhatFollowsADeletionInItsMillisecondIsThere() {
    try (KeyValueStore store = ready(MemoryStore.open(options, Promises.LIKE_HBASE))) {
      store.put(DATA, ROW, Q, bytes("v"));
      store.mutate(DATA, List.of(new RowMutation(ROW, new Change.DeleteRow())));
      store.put(DATA, ROW, Q, bytes("w"));
      assertThat(value(store)).isEqualTo(bytes("w"));

      assertThat(store.replaceCells(DATA, row(store), List.of())).isTrue();
      store.put(DATA, ROW, Q, bytes("x"));
      assertThat(value(store)).isEqualTo(bytes("x"));
    }
  }

  @Test
  void cellsRestoredFromTheFutureDoNotMakeTheirRowRunAheadOfTheClock() {
    long now = clock.millis();
    for (Promises promises : Promises.values()) {
      try (KeyValueStore store = ready(MemoryStore.open(options, promises))) {
        for (int i = 0; i < 100; i++) {
          byte[] qualifier = bytes("restored" + i);
          Change restored = new Change.PutIfNewer(qualifier, bytes("v"), now + 3_600_000 + i);
          store.mutate(DATA, List.of(new RowMutation(ROW, restored)));
        }
        store.put(DATA, ROW, Q, bytes("v"));
        Row row = row(store);
        assertThat(row.size()).isEqualTo(101);
        int put = row.indexOf(Q);
        for (int i = 0; i < row.size(); i++) {
          boolean later = i == put && promises == Promises.FULL;
          assertThat(row.writeTime(i)).isEqualTo(later ? now + 1 : now);
        }
      }
    }
  }

  @Test
  void whatChangesNothingUsesUpNoTime() {
    long now = clock.millis();
    try (KeyValueStore store = ready(MemoryStore.open(options, Promises.FULL))) {
      store.put(DATA, ROW, Q, bytes("v"));
      Row seen = row(store);
      store.append(DATA, ROW, Q, bytes("w"));
      for (int i = 0; i < 10; i++) {
        assertThat(store.compareAndSet(DATA, ROW, Q, bytes("v"), bytes("x"))).isFalse();
        assertThat(store.replaceCells(DATA, seen, List.of(new Cell(bytes("r"), Q)))).isFalse();
        Change older = new Change.PutIfNewer(Q, bytes("x"), now);
        store.mutate(DATA, List.of(new RowMutation(ROW, older)));
        store.mutate(DATA, List.of(new RowMutation(ROW, new Change.Delete(bytes("absent")))));
      }
      assertThat(value(store)).isEqualTo(bytes("vw"));
      store.put(DATA, ROW, Q, bytes("last"));
      assertThat(row(store).writeTime(0)).isEqualTo(now + 2);
    }
  }

  private static KeyValueStore ready(KeyValueStore store) {
    store.ensure(List.of(new FamilySpec(DATA, true)), SchemaMode.CREATE);
    return store;
  }

  private static Row row(KeyValueStore store) {
    return store.get(DATA, ROW, Columns.all());
  }

  private static byte[] value(KeyValueStore store) {
    byte[] value = row(store).find(Q);
    assertThat(value).isNotNull();
    return value == null ? new byte[0] : value;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(US_ASCII);
  }
}
