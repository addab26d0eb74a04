package org.hourstone.query;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.hourstone.QuerySettings;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.kv.Family;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.Scan;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a query holds is given back as its groups are taken, and however it ends. */
class MemoryGivenBackTest extends LargeQueriesCase {
  @Test
  void onlyTheGroupsThatAreLeftHoldMemory() {
    for (String text : List.of("none:m", "none:1h-p95-nan:m", "sum:rate:m{host=*}")) {
      try (SeriesCursor cursor = db.query(query(text))) {
        assertThat(cursor.next()).isNotNull();
        long all = cursor.use().memoryBytes();
        assertThat(all).isPositive();
        for (int read = 1; read < SERIES; read++) {
          assertThat(cursor.next()).isNotNull();
          assertThat(cursor.use().memoryBytes() * SERIES).isEqualTo(all * (SERIES - read));
        }
        assertThat(cursor.next()).isNull();
        assertNothingIsHeld();
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Ending.class)
  void howeverAQueryEndsNothingIsHeld(Ending ending) {
    Random random = new Random(ending.name().hashCode());
    List<String> texts =
        List.of("none:m", "sum:m", "avg:1h-p95-zero:rate:m{host=*}", "none:0all-p99:m");
    AtomicInteger rowsLeft = new AtomicInteger();
    TsdbOptions options =
        TsdbOptions.defaults().with(Settings.SALT_CHECK, "false").with(Settings.HEAD, "false");
    if (ending == Ending.LIMIT) {
      options = options.with(QuerySettings.QUERY_MEMORY_BYTES, "100000");
    }
    int failed = 0;
    db.close();
    db =
        Tsdb.over(
            new ForwardingStore(store) {
              @Override
              public RowCursor scan(Family family, Scan scan) {
                return ending.after(rowsLeft, super.scan(family, scan), db);
              }
            },
            options);
    for (int round = 0; round < 50; round++) {
      rowsLeft.set(random.nextInt(SERIES * HOURS));
      List<Query> queries =
          random
              .ints(1 + random.nextInt(2), 0, texts.size())
              .mapToObj(i -> query(texts.get(i)))
              .toList();
      int groups = ending == Ending.CLOSED ? random.nextInt(SERIES) : Integer.MAX_VALUE;
      List<SeriesCursor> cursors = db.queryAll(queries);
      for (SeriesCursor cursor : cursors) {
        try (cursor) {
          for (int read = 0; read < groups && cursor.next() != null; read++) {
            assertThat(cursor.use().memoryBytes()).isPositive();
          }
        } catch (StoreException | QueryCancelledException | QueryLimitException e) {
          assertThat(e.getClass()).isEqualTo(ending.failure);
          failed++;
        }
      }
      assertNothingIsHeld();
    }
    assertThat(failed > 0).isEqualTo(ending.failure != null);
  }

  /** How a query ends after some rows. */
  private enum Ending {
    READ(null),
    CLOSED(null),
    LIMIT(QueryLimitException.class),
    CANCELLED(QueryCancelledException.class),
    FAILED(StoreException.class);

    private final @Nullable Class<? extends RuntimeException> failure;

    Ending(@Nullable Class<? extends RuntimeException> failure) {
      this.failure = failure;
    }

    RowCursor after(AtomicInteger rowsLeft, RowCursor rows, Tsdb db) {
      return new RowCursor() {
        @Override
        public @Nullable Row next() {
          if (rowsLeft.getAndDecrement() == 0) {
            if (Ending.this == CANCELLED) {
              db.runningQueries()
                  .list()
                  .forEach(query -> db.runningQueries().kill(query.id(), "enough"));
            } else if (Ending.this == FAILED) {
              throw new StoreException(Outcome.NOT_APPLIED, "the store fails");
            }
          }
          return rows.next();
        }

        @Override
        public void close() {
          rows.close();
        }
      };
    }
  }
}
