package org.hourstone.testkit.store;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.FamilySpec;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.kv.SchemaMode;
import org.hourstone.testkit.store.RecordingStore.Counted;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RecordingStoreTest {
  private static final Family DATA = new Family("data", "t");
  private static final Family OTHER = new Family("other", "t");
  private static final byte[] Q = bytes("q");

  private final RecordingStore store =
      new RecordingStore(new ModelStore(InstantSource.fixed(Instant.EPOCH)));

  @BeforeEach
  void fill() {
    store.ensure(
        List.of(new FamilySpec(DATA, true), new FamilySpec(OTHER, true)), SchemaMode.CREATE);
    Change one = new Change.Put(Q, bytes("1"));
    Change two = new Change.Put(bytes("r"), bytes("2"));
    store.mutate(
        DATA,
        List.of(new RowMutation(bytes("a"), List.of(one, two)), new RowMutation(bytes("b"), one)));
    store.append(OTHER, bytes("c"), Q, bytes("3"));
  }

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void countsBatchesRowsAndChanges() {
    assertThat(store.count(Counted.BATCHES, DATA)).isEqualTo(1);
    assertThat(store.count(Counted.ROWS_WRITTEN, DATA)).isEqualTo(2);
    assertThat(store.count(Counted.CHANGES, DATA)).isEqualTo(3);
    assertThat(store.count(Counted.CHANGES, OTHER)).isEqualTo(1);
    assertThat(store.total(Counted.CHANGES)).isEqualTo(4);
  }

  @Test
  void countsRowsThatCameBackFromGets() {
    store.get(DATA, bytes("a"), Columns.all());
    store.get(DATA, List.of(bytes("a"), bytes("b"), bytes("absent")), Columns.exactly(Q));

    assertThat(store.count(Counted.GETS, DATA)).isEqualTo(2);
    assertThat(store.count(Counted.ROWS_READ, DATA)).isEqualTo(3);
    assertThat(store.count(Counted.CELLS_READ, DATA)).isEqualTo(4);
    assertThat(store.count(Counted.GETS, OTHER)).isZero();
  }

  @Test
  void countsTheRowsACursorDelivered() {
    try (RowCursor cursor = store.scan(DATA, Scan.all())) {
      assertThat(cursor.next()).isNotNull();
      assertThat(store.count(Counted.ROWS_READ, DATA)).isEqualTo(1);
      assertThat(cursor.next()).isNotNull();
      assertThat(cursor.next()).isNull();
    }

    assertThat(store.count(Counted.SCANS, DATA)).isEqualTo(1);
    assertThat(store.count(Counted.ROWS_READ, DATA)).isEqualTo(2);
    assertThat(store.count(Counted.CELLS_READ, DATA)).isEqualTo(3);
  }

  @Test
  void countsTheAtomicPrimitives() {
    store.increment(DATA, bytes("n"), Q, 1);
    store.increment(DATA, bytes("n"), Q, 1);
    store.compareAndSet(DATA, bytes("a"), Q, bytes("wrong"), bytes("v"));
    store.replaceCells(DATA, Row.empty(bytes("z")), List.of(new Cell(Q, bytes("v"))));

    assertThat(store.count(Counted.INCREMENTS, DATA)).isEqualTo(2);
    assertThat(store.count(Counted.COMPARE_AND_SETS, DATA)).isEqualTo(1);
    assertThat(store.count(Counted.REPLACEMENTS, DATA)).isEqualTo(1);
  }

  @Test
  void beginsAgainAfterAReset() {
    store.reset();

    for (Counted what : Counted.values()) {
      assertThat(store.total(what)).as(what.name()).isZero();
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(US_ASCII);
  }
}
