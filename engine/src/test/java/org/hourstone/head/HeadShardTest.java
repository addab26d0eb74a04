package org.hourstone.head;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.hourstone.codec.DuplicatePolicy;
import org.hourstone.codec.RowKey;
import org.hourstone.codec.Schema;
import org.hourstone.internal.Backoff;
import org.hourstone.kv.Family;
import org.hourstone.kv.FamilySpec;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.SchemaMode;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.hourstone.testkit.ManualClock;
import org.hourstone.testkit.store.ModelStore;
import org.junit.jupiter.api.Test;

/** The steps between a record and its acknowledgement, of which each may fail. */
class HeadShardTest {
  private static final Family POINTS = new Family("tsdb", "t");
  private static final Family JOURNAL = new Family("tsdb-journal", "j");
  private static final byte[] KEY = {0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 1};

  private final ManualClock clock = new ManualClock(Instant.ofEpochSecond(1_500_001_200));

  /** How often the index may still fail after rows were shown. */
  private int failures;

  /** Whether it fails before. */
  private boolean refuses;

  /** How many rows were announced by each call. */
  private final List<Integer> announced = new ArrayList<>();

  private final Head head = head();
  private final HeadShard shard = shard(Acknowledgement.JOURNAL);

  private HeadShard shard(Acknowledgement acknowledgement) {
    return shards(head, acknowledgement).get(0);
  }

  private static Waiting none() {
    throw new IllegalStateException("the journal has the points");
  }

  private Head head() {
    Head made = emptyHead();
    made.begin();
    made.replay();
    return made;
  }

  private Head emptyHead() {
    KeyValueStore store = new ModelStore(clock);
    store.ensure(
        List.of(new FamilySpec(POINTS, true), new FamilySpec(JOURNAL, true)), SchemaMode.CREATE);
    HeadOptions options =
        new HeadOptions(
            1 << 20,
            1 << 20,
            new HeadOptions.Buffering(Duration.ofMinutes(1), 1 << 20, 1 << 20),
            new HeadOptions.Sealing(1000, 1, 1),
            new CellOptions(CellForm.PACKED, DuplicatePolicy.NEWEST_WINS, 1 << 20, false));
    Announcements announcements =
        new Announcements() {
          @Override
          public void showing(List<byte[]> rows, Runnable show) {
            announced.add(rows.size());
            if (refuses) {
              throw new StoreException(Outcome.NOT_APPLIED, "the index fails");
            }
            show.run();
          }

          @Override
          public void after() {
            if (failures-- > 0) {
              throw new StoreException(Outcome.UNKNOWN, "the index may lack them");
            }
          }
        };
    return new Head(
        store,
        POINTS,
        JOURNAL,
        new RowKey(Schema.DEFAULT),
        options,
        clock,
        Backoff.none(),
        announcements);
  }

  /** The series index may lack the row, so no point of it may be acknowledged. */
  @Test
  void noPointOfARowIsAcknowledgedUntilItsAnnouncementHasEnded() {
    failures = 2;
    OpenRow row = shard.row(null, KEY, 0, HeadShardTest::none);
    shard.add(row, 0, false, 0, 1);
    assertThatThrownBy(() -> shard.commit(() -> false)).hasMessageContaining("lack");
    shard.add(row, 1000, false, 0, 1);
    assertThatThrownBy(() -> shard.commit(() -> false)).hasMessageContaining("lack");
    shard.add(row, 2000, false, 0, 1);
    shard.commit(() -> false);
    assertThat(failures).isEqualTo(-1);
    shard.add(row, 3000, false, 0, 1);
    shard.commit(() -> false);
    assertThat(failures).as("it has ended").isEqualTo(-1);
  }

  /** An error may have interrupted it. */
  @Test
  void aRowMayBeShownAgain() {
    OpenRow row = new OpenRow(KEY, 0, 1, 0, null, null);
    row.add(0, false, 0, 1);
    VisibleRows rows = new VisibleRows(Schema.DEFAULT);
    rows.show(row);
    assertThatCode(() -> rows.show(row)).doesNotThrowAnyException();
    OpenRow other = new OpenRow(KEY, 0, 2, 0, null, null);
    assertThatThrownBy(() -> rows.show(other)).hasMessageContaining("open twice");
  }

  /** Else it would lose the points that it has. */
  @Test
  void aJournalIsUsedOnlyOnceItWasReplayed() {
    Head empty = emptyHead();
    assertThatThrownBy(() -> shards(empty, Acknowledgement.JOURNAL)).hasMessageContaining("EMPTY");
    empty.begin();
    assertThatThrownBy(() -> shards(empty, Acknowledgement.JOURNAL)).hasMessageContaining("OWNING");
    empty.replay();
    assertThat(shards(empty, Acknowledgement.JOURNAL)).hasSize(1);
  }

  @Test
  void aHeadThatIsClosedStaysSo() {
    head.close();
    head.close();
    head.retire();
    assertThatThrownBy(() -> shards(head, Acknowledgement.NONE)).hasMessageContaining("CLOSED");
  }

  @Test
  void aRetiredHeadUsesItsJournalUntilItsRowsAreSealed() {
    OpenRow row = shard.row(null, KEY, 0, HeadShardTest::none);
    shard.add(row, 0, false, 0, 1);
    shard.commit(() -> false);
    head.retire();
    assertThat(shard.acknowledgement()).isEqualTo(Acknowledgement.JOURNAL);
    shard.sealAll();
    assertThat(shard.acknowledgement()).isEqualTo(Acknowledgement.NONE);
    assertThat(head.stats().journalBytes()).isZero();
    assertThat(shown()).isZero();
  }

  private static List<HeadShard> shards(Head of, Acknowledgement acknowledgement) {
    return of.shards(acknowledgement, 1, true, (rows, points) -> {});
  }

  /** Each attempt may take as long as a store that does not answer. */
  @Test
  void whileTheIndexFailsRowsAreAnnouncedOnceASecondAndNotAllOfThem() {
    HeadShard waiting = shard(Acknowledgement.INTERVAL);
    refuses = true;
    for (int i = 0; i < 2500; i++) {
      open(waiting, i);
      waiting.commit(() -> false);
    }
    assertThat(announced).as("in one second").containsExactly(1);

    clock.advance(Duration.ofSeconds(1));
    waiting.commit(() -> false);
    waiting.commit(() -> false);
    assertThat(announced).as("in the next").containsExactly(1, 1000);
    assertThat(shown()).isZero();

    refuses = false;
    clock.advance(Duration.ofSeconds(1));
    waiting.commit(() -> false);
    assertThat(announced.stream().skip(2)).containsExactly(1000, 1000, 500);
    assertThat(shown()).isEqualTo(2500);
  }

  @Test
  void aClockThatIsPutBackDoesNotHideRows() {
    HeadShard waiting = shard(Acknowledgement.INTERVAL);
    refuses = true;
    open(waiting, 0);
    waiting.commit(() -> false);
    refuses = false;
    clock.advance(Duration.ofHours(-1));
    waiting.commit(() -> false);
    assertThat(shown()).isEqualTo(1);
  }

  private void open(HeadShard waiting, int series) {
    byte[] key = KEY.clone();
    key[key.length - 1] = (byte) series;
    key[key.length - 2] = (byte) (series >> 8);
    OpenRow row = waiting.row(null, key, 0, NoOne::new);
    waiting.makeRoom(row);
    waiting.addWaiting(row, 0, false, 0, 1);
  }

  private long shown() {
    return head.stats().rows();
  }

  /** Someone who waits for one point. */
  private static final class NoOne implements Waiting {
    @Override
    public int size() {
      return 1;
    }

    @Override
    public int begin() {
      return 0;
    }

    @Override
    public int end() {
      return 1;
    }

    @Override
    public void endAt(int limit) {}

    @Override
    public boolean anyAwaited() {
      return false;
    }

    @Override
    public boolean allGiveUpSoon() {
      return false;
    }

    @Override
    public void stored() {}

    @Override
    public void failed(RuntimeException reason) {}

    @Override
    public void unapplied(Outcome outcome) {}

    @Override
    public StoreException failure(Outcome last, StoreException reason) {
      return reason;
    }
  }
}
