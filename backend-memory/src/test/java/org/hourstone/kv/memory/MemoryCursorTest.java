package org.hourstone.kv.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicInteger;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.kv.Family;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.FuzzyRow;
import org.hourstone.kv.KeyValueReader;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.Scan;
import org.hourstone.query.QueryCancelledException;
import org.hourstone.query.RequestBudget;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A scan that finds nothing is checked within one call of its cursor. */
class MemoryCursorTest {
  private final KeyValueStore store = MemoryStore.open();
  private final Tsdb db = Tsdb.over(store, TsdbOptions.defaults());

  @AfterEach
  void close() {
    db.close();
    store.close();
  }

  @Test
  void aLookupThatFindsNothingIsCancelledWithinOneCallOfItsCursor() {
    Family points = db.engine().tables().points();
    for (int i = 0; i < 2 * Scan.ROWS_PER_CHECK; i++) {
      byte[] row = {9, (byte) (i >> 8), (byte) i, 1};
      store.put(points, row, new byte[] {0, 0}, new byte[] {1});
    }
    AtomicInteger rows = new AtomicInteger();
    RequestBudget[] budget = new RequestBudget[1];
    KeyValueReader reader =
        budgeted(
            new ForwardingStore(store) {
              @Override
              public RowCursor scan(Family family, Scan scan) {
                return super.scan(
                    family,
                    scan.check(
                        () -> {
                          rows.incrementAndGet();
                          budget[0].cancel("no longer wanted");
                          scan.check().run();
                        }));
              }
            },
            budget);
    FuzzyRow none = new FuzzyRow(new byte[4], new boolean[] {false, false, false, true});
    Scan scan = Scan.all().filter(none);
    try (RowCursor cursor = reader.scan(points, scan)) {
      assertThatThrownBy(cursor::next)
          .isInstanceOf(QueryCancelledException.class)
          .hasMessageContaining("no longer wanted");
    }
    assertThat(rows).hasValue(1);
    budget[0].close();
  }

  private KeyValueReader budgeted(KeyValueStore over, RequestBudget[] budget) {
    budget[0] = db.runningQueries().begin(() -> "a lookup");
    return budget[0].reading(over);
  }
}
