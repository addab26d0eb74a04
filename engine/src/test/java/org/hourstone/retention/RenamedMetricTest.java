package org.hourstone.retention;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.hourstone.Tsdb;
import org.hourstone.kv.Family;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.Scan;
import org.hourstone.rollup.RollupCase;
import org.hourstone.table.TableListener;
import org.hourstone.uid.UidKind;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Rules are those of the names that series have now. */
class RenamedMetricTest extends RollupCase {
  /** Runs something once, after a scan by time has returned its last row. */
  private static final class Ending extends ForwardingStore {
    private @Nullable Runnable afterLastRow;

    Ending(KeyValueStore delegate) {
      super(delegate);
    }

    @Override
    public RowCursor scan(Family family, Scan scan) {
      RowCursor rows = super.scan(family, scan);
      return scan.limit() == 1 || scan.start().length == 0 ? rows : new EndingRows(rows);
    }

    private final class EndingRows implements RowCursor {
      private final RowCursor rows;
      private boolean hasRow;

      EndingRows(RowCursor rows) {
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
  }

  private final Tsdb db = open("", "debug.*{host=a} raw 2d; *{host=b} raw 5d");

  RenamedMetricTest() {
    super(Ending::new);
  }

  @AfterEach
  void close() {
    db.close();
  }

  private void put(long seconds) {
    put(db, "debug.m", seconds, 1);
    db.flush();
  }

  private long expired() {
    return db.retention().run(true, true, 1, TableListener.NONE).rows();
  }

  @Test
  void aMetricThatIsRenamedIsKept() {
    put(START);
    clock.advance(Duration.ofDays(3));
    assertThat(expired()).isEqualTo(1);

    db.uids().rename(UidKind.METRIC, "debug.m", "kept.m");

    assertThat(expired()).isZero();
    assertThat(retain(db).rows()).isZero();
    put(db, "kept.m", START, 1);
  }

  /** Rows are collected first, and deleted together. */
  @Test
  void aMetricThatIsRenamedDuringARunIsKept() {
    put(START);
    clock.advance(Duration.ofDays(3));
    Family points = db.engine().tables().points();
    boolean[] isFound = {false};
    ((Ending) store).afterLastRow =
        () -> {
          isFound[0] = true;
          db.uids().rename(UidKind.METRIC, "debug.m", "kept.m");
        };

    assertThat(retain(db).rows()).isZero();
    assertThat(isFound).containsExactly(true);
    assertThat(rows(points)).isEqualTo(1);
  }

  @Test
  void aTagThatIsRenamedHasTheRuleOfItsName() {
    put(START);
    clock.advance(Duration.ofDays(3));
    assertThat(expired()).isEqualTo(1);

    db.uids().rename(UidKind.TAGV, "a", "b");
    assertThat(expired()).isZero();
    clock.advance(Duration.ofDays(3));
    assertThat(expired()).isEqualTo(1);
  }
}
