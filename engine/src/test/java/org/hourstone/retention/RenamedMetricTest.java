package org.hourstone.retention;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.hourstone.RetentionSettings;
import org.hourstone.Settings;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.kv.Family;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.Scan;
import org.hourstone.table.TableListener;
import org.hourstone.testkit.ManualClock;
import org.hourstone.testkit.store.ModelStore;
import org.hourstone.uid.UidKind;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Rules are those of the names that series have now. */
class RenamedMetricTest {
  private static final long DAY = 86_400;
  private static final long NOW = 20_000 * DAY;

  private final ManualClock clock = new ManualClock(Instant.ofEpochSecond(NOW));

  /** Runs once, after a scan by time has returned its last row. */
  private @Nullable Runnable afterLastRow;

  private final KeyValueStore store =
      new ForwardingStore(new ModelStore(clock)) {
        @Override
        public RowCursor scan(Family family, Scan scan) {
          RowCursor rows = super.scan(family, scan);
          return scan.limit() == 1 || scan.start().length == 0 ? rows : new Ending(rows);
        }
      };

  private final class Ending implements RowCursor {
    private final RowCursor rows;
    private boolean hasRow;

    Ending(RowCursor rows) {
      this.rows = rows;
    }

    @Override
    public @Nullable Row next() {
      Row row = rows.next();
      Runnable then = afterLastRow;
      if (row == null && hasRow && then != null) {
        afterLastRow = null;
        then.run();
      }
      hasRow |= row != null;
      return row;
    }

    @Override
    public void close() {
      rows.close();
    }
  }

  private final Tsdb db =
      Tsdb.over(
          store,
          TsdbOptions.defaults()
              .withClock(clock)
              .with(Settings.COMPACTION_BACKGROUND, "false")
              .with(RetentionSettings.RULES, "debug.*{host=a} raw 2d; *{host=b} raw 5d"));

  @AfterEach
  void close() {
    db.close();
    store.close();
  }

  private void put(long seconds) {
    db.put("debug.m", Instant.ofEpochSecond(seconds), 1, Tags.of("host", "a")).join();
    db.flush();
  }

  private long expired() {
    return db.retention().run(true, true, 1, TableListener.NONE).rows();
  }

  @Test
  void aMetricThatIsRenamedIsKept() {
    put(NOW);
    clock.advance(Duration.ofDays(3));
    assertThat(expired()).isEqualTo(1);

    db.uids().rename(UidKind.METRIC, "debug.m", "kept.m");

    assertThat(expired()).isZero();
    assertThat(db.retention().run(false, true, 1, TableListener.NONE).rows()).isZero();
    db.put("kept.m", Instant.ofEpochSecond(NOW), 1, Tags.of("host", "a")).join();
  }

  /** Rows are collected first, and deleted together. */
  @Test
  void aMetricThatIsRenamedDuringARunIsKept() {
    put(NOW);
    clock.advance(Duration.ofDays(3));
    Family points = db.engine().tables().points();
    boolean[] isFound = {false};
    afterLastRow =
        () -> {
          isFound[0] = true;
          db.uids().rename(UidKind.METRIC, "debug.m", "kept.m");
        };

    assertThat(db.retention().run(false, true, 1, TableListener.NONE).rows()).isZero();
    assertThat(isFound).containsExactly(true);
    try (RowCursor rows = store.scan(points, Scan.all())) {
      assertThat(rows.next()).isNotNull();
    }
  }

  @Test
  void aTagThatIsRenamedHasTheRuleOfItsName() {
    put(NOW);
    clock.advance(Duration.ofDays(3));
    assertThat(expired()).isEqualTo(1);

    db.uids().rename(UidKind.TAGV, "a", "b");
    assertThat(expired()).isZero();
    clock.advance(Duration.ofDays(3));
    assertThat(expired()).isEqualTo(1);
  }
}
