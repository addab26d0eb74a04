package org.hourstone.testkit.store;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.FamilySpec;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.kv.SchemaMode;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AssertingStoreTest {
  private static final Family DATA = new Family("data", "t");
  private static final byte[] ROW = bytes("row");
  private static final byte[] Q = bytes("q");

  private final KeyValueStore behind = new ModelStore(InstantSource.fixed(Instant.EPOCH));
  private final AssertingStore store = new AssertingStore(behind);

  @BeforeEach
  void fill() {
    store.ensure(List.of(new FamilySpec(DATA, true)), SchemaMode.CREATE);
    store.put(DATA, ROW, Q, bytes("v"));
    store.put(DATA, bytes("row2"), Q, bytes("v"));
  }

  @Test
  void aGoodCallerIsNotTroubled() {
    try (RowCursor cursor = store.scan(DATA, Scan.all())) {
      assertThat(cursor.next()).isNotNull();
    }
    store.close();
    store.close();
  }

  @Test
  void aModifiedRowIsFoundWhenTheStoreIsClosed() {
    Row row = store.get(DATA, ROW, Columns.all());
    row.value(0)[0] = 'x';

    assertThatThrownBy(store::close)
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("modified: row 726f77");
    assertThatThrownBy(behind::families).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aModifiedRowIsFoundSomeRowsLater() {
    try (RowCursor cursor = store.scan(DATA, Scan.all())) {
      assertThat(cursor.next()).isNotNull().satisfies(first -> first.qualifier(0)[0] = 'x');
    }

    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 2_000; i++) {
                store.get(DATA, bytes("row2"), Columns.all());
              }
            })
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("modified");
  }

  @Test
  void anArgumentModifiedDuringTheCallIsFound() {
    byte[] value = bytes("before");
    AssertingStore watched =
        new AssertingStore(
            new ForwardingStore(behind) {
              @Override
              public void mutate(Family family, List<RowMutation> batch) {
                value[0] = 'x';
                super.mutate(family, batch);
              }
            });

    assertThatThrownBy(() -> watched.put(DATA, ROW, Q, value))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("modified while the call ran");
  }

  @Test
  void anOpenCursorIsFoundWhenTheStoreIsClosed() {
    RowCursor cursor = store.scan(DATA, Scan.all());
    assertThat(cursor.next()).isNotNull();

    assertThatThrownBy(store::close)
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("1 cursors were left open");
    assertThatThrownBy(behind::families).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aCursorOfTwoThreadsIsFound() {
    try (RowCursor cursor = store.scan(DATA, Scan.all())) {
      assertThat(cursor.next()).isNotNull();
      CompletableFuture<@Nullable Row> elsewhere = CompletableFuture.supplyAsync(cursor::next);

      assertThatThrownBy(elsewhere::join).hasCauseInstanceOf(AssertionError.class);
    }
  }

  @Test
  void badArgumentsDoNotReachTheStore() {
    RecordingStore recording = new RecordingStore(behind);
    AssertingStore strict = new AssertingStore(recording);
    Change change = new Change.Put(Q, bytes("v"));
    List<RowMutation> twice = List.of(new RowMutation(ROW, change), new RowMutation(ROW, change));

    assertThatThrownBy(() -> strict.mutate(DATA, twice))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> strict.get(DATA, new byte[0], Columns.all()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> strict.compareAndSet(DATA, ROW, Q, null, new byte[0]))
        .isInstanceOf(IllegalArgumentException.class);

    for (RecordingStore.Counted what : RecordingStore.Counted.values()) {
      assertThat(recording.total(what)).isZero();
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(US_ASCII);
  }
}
