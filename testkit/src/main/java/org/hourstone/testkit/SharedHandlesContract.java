package org.hourstone.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hourstone.testkit.Binary.bytes;
import static org.hourstone.testkit.Binary.number;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.FamilySpec;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.SchemaMode;
import org.hourstone.kv.Trait;
import org.junit.jupiter.api.Test;

/**
 * The read-modify-writes of a SHARED store exclude the writes of other handles, as those of other
 * processes: a lock of this handle alone is not enough.
 */
public abstract class SharedHandlesContract extends StoreContract {
  private static final byte[] ROW = bytes("row");
  private static final byte[] Q = bytes("q");
  private static final byte[] MERGED = bytes("merged");
  private static final int TIMES = 150;

  /** How many appends one replacement may meet: else the cell grows for ever. */
  private static final int LEAD = 20;

  @Test
  final void noAppendToAnObservedCellIsLostToAReplacementOfAnotherHandle() throws Exception {
    assumeTrue(has(Trait.SHARED), "SHARED is not promised");
    AtomicInteger appends = new AtomicInteger();
    AtomicInteger attempts = new AtomicInteger();
    try (KeyValueStore other = subject().open(fixture())) {
      ConcurrentRunner.overlap(
          TIMES,
          List.of(
              time -> {
                if (appends.get() < LEAD * (1 + attempts.get())) {
                  store().append(family(), ROW, Q, number(appends.getAndIncrement()));
                }
              },
              time -> {
                Row observed = other.get(family(), ROW, Columns.all());
                List<Cell> merged = List.of(new Cell(MERGED, numbers(observed)));
                other.replaceCells(family(), observed, observed.isEmpty() ? List.of() : merged);
                attempts.incrementAndGet();
              }));
    }

    assertThat(numbers(get(ROW)).length / 8)
        .as("appends of %d kept beside replacements of another handle", appends.get())
        .isEqualTo(appends.get());
  }

  @Test
  final void noAppendBesideAPutIsLostToAnotherHandle() throws Exception {
    assumeTrue(has(Trait.SHARED), "SHARED is not promised");
    AtomicInteger appends = new AtomicInteger();
    try (KeyValueStore other = subject().open(fixture())) {
      ConcurrentRunner.overlap(
          TIMES, List.of(appender(store(), appends, "a"), appender(other, appends, "b")));
    }

    assertThat(get(ROW).find(Q))
        .as("appends of two handles, each beside a put")
        .hasSize(8 * appends.get());
  }

  private ConcurrentRunner.Repeated appender(
      KeyValueStore store, AtomicInteger appends, String name) {
    return time -> {
      store.mutate(
          family(),
          List.of(
              new RowMutation(
                  ROW,
                  List.of(
                      new Change.Put(bytes(name), number(time)),
                      new Change.Append(Q, number(time))))));
      appends.incrementAndGet();
    };
  }

  @Test
  final void theNewestPutIfNewerOfTwoHandlesStays() throws Exception {
    assumeTrue(has(Trait.SHARED), "SHARED is not promised");
    try (KeyValueStore other = subject().open(fixture())) {
      WriteTimeContract.assertNewestStays(List.of(store(), other), family(), random(0));
    }
  }

  @Test
  final void aFamilyThatAnotherHandleCreatesIsThere() {
    assumeTrue(has(Trait.SHARED), "SHARED is not promised");
    Family late = missing();
    assertRejected("a read of a missing family", () -> store().get(late, ROW, Columns.all()));
    assertThat(store().families()).doesNotContain(late);
    try (KeyValueStore other = subject().open(fixture())) {
      other.ensure(List.of(new FamilySpec(late, true)), SchemaMode.CREATE);

      assertThat(store().families()).contains(late);
      store().put(late, ROW, Q, bytes("v"));
      assertThat(other.get(late, ROW, Columns.all()).find(Q)).isEqualTo(bytes("v"));
    }
  }

  private static byte[] numbers(Row row) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (int i = 0; i < row.size(); i++) {
      all.writeBytes(row.value(i));
    }
    return all.toByteArray();
  }
}
