package org.hourstone.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.hourstone.codec.DuplicatePolicy;
import org.hourstone.codec.RowKey;
import org.hourstone.codec.Schema;
import org.hourstone.head.Acknowledgement;
import org.hourstone.head.Announcements;
import org.hourstone.head.CellForm;
import org.hourstone.head.CellOptions;
import org.hourstone.head.Head;
import org.hourstone.head.HeadOptions;
import org.hourstone.head.HeadShard;
import org.hourstone.head.WrittenRows;
import org.hourstone.internal.Backoff;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.Family;
import org.hourstone.kv.FamilySpec;
import org.hourstone.kv.SchemaMode;
import org.hourstone.testkit.ManualClock;
import org.hourstone.testkit.store.ModelStore;
import org.junit.jupiter.api.Test;

/** The points of rows are counted for their series' metadata, with a journal. */
class CountedPointsTest {
  private static final Family POINTS = new Family("tsdb", "t");
  private static final Family JOURNAL = new Family("tsdb-journal", "j");
  private static final RowKey KEYS = new RowKey(Schema.DEFAULT);
  private static final long HOUR = 1_500_001_200;

  private final ManualClock clock = new ManualClock(Instant.ofEpochSecond(HOUR));

  /** Rows and the number of their points, as they are notified. */
  private final List<String> counted = new ArrayList<>();

  private boolean refuses;
  private final OpenRows rows = openRows();

  private OpenRows openRows() {
    ModelStore store = new ModelStore(clock);
    store.ensure(
        List.of(new FamilySpec(POINTS, true), new FamilySpec(JOURNAL, true)), SchemaMode.CREATE);
    HeadOptions options =
        new HeadOptions(
            1 << 20,
            1 << 20,
            new HeadOptions.Buffering(Duration.ofMinutes(1), 1 << 20, 1 << 20),
            new HeadOptions.Sealing(1000, 1, 1),
            new CellOptions(CellForm.PACKED, DuplicatePolicy.NEWEST_WINS, 1 << 20, false));
    Head head =
        new Head(
            store,
            POINTS,
            JOURNAL,
            KEYS,
            options,
            clock,
            Backoff.none(),
            new Announcements() {
              @Override
              public void showing(List<byte[]> opened, Runnable show) {
                show.run();
              }

              @Override
              public void after() {}
            });
    head.begin();
    head.replay();
    WrittenRows written =
        new WrittenRows() {
          @Override
          public void written(List<byte[]> keys, List<Integer> points) {}

          @Override
          public void journaled(List<byte[]> keys, List<Integer> points) {
            for (int i = 0; i < keys.size(); i++) {
              counted.add(new Bytes(KEYS.tsuid(keys.get(i))) + " " + points.get(i));
            }
          }

          @Override
          public boolean countsPoints() {
            return true;
          }
        };
    HeadShard shard = head.shards(Acknowledgement.JOURNAL, 1, true, written).get(0);
    return new OpenRows(
        shard,
        written,
        row -> {
          if (refuses) {
            throw new IllegalStateException("refused");
          }
        });
  }

  private static Series series(int i) {
    return new Series(KEYS, tsuid(i), 0, 0);
  }

  private static byte[] tsuid(int i) {
    return new byte[] {0, 0, 1, 0, 0, 1, 0, 0, (byte) i};
  }

  private void add(Series series, int seconds) {
    Receipt none =
        new Receipt() {
          @Override
          public void stored(long token) {}

          @Override
          public void failed(long token, RuntimeException reason) {}
        };
    rows.add(series, HOUR + seconds, 0, 1, none, 0);
  }

  @Test
  void refusedPointsAreNotCounted() {
    refuses = true;
    for (int i = 0; i < 100; i++) {
      Series refused = series(i);
      assertThatIllegalStateException().isThrownBy(() -> add(refused, 0));
    }
    rows.commit();
    refuses = false;
    Series accepted = series(101);
    add(accepted, 0);
    add(accepted, 1);
    rows.commit();

    assertThat(counted).containsExactly(new Bytes(tsuid(101)) + " 2");
  }
}
