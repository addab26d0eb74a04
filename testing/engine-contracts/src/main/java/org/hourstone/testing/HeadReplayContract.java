package org.hourstone.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.hourstone.query.Query;
import org.hourstone.testkit.store.MortalStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Points that the journal restores after a death: never a point that was deleted or replaced since,
 * whatever was not recorded of it.
 */
public abstract class HeadReplayContract extends HeadCase {
  private static final Query FIRST =
      Query.metric("m").betweenMillis(HOUR.toEpochMilli(), HOUR.toEpochMilli() + 1);

  /** As a database of before has left it, which died; later ones continue its journal. */
  @Test
  final void recordsOfBothVersionsAreReplayed() {
    db.put("m", HOUR, 1, WEB01).join();
    Family journal = db.engine().options().journalFamily();
    Row record = rows(journal).get(rows(journal).size() - 1);
    die();
    String opened = "01" + "01" + "01" + "0d" + "00000150e22700000001000001" + "06";
    byte[] first = HexFormat.of().parseHex(opened + "000005" + "001007");
    store.put(journal, record.key(), record.qualifier(0), first);
    mortal = new MortalStore(store);
    db = Tsdb.over(mortal, options());
    Instant next = HOUR.plusSeconds(1);

    assertThat(points("m", WEB01)).containsExactly(Map.entry(HOUR, 5.0), Map.entry(next, 7.0));
    db.put("m", next, 9, WEB01).join();
    db.put("m", HOUR.plusSeconds(2), 11, WEB01).join();
    die(options());

    assertThat(points("m", WEB01))
        .containsExactly(
            Map.entry(HOUR, 5.0), Map.entry(next, 9.0), Map.entry(HOUR.plusSeconds(2), 11.0));
  }

  /** The row is written while the deletion runs, and the process dies before a record says so. */
  @Test
  final void aPointWhoseRowWasSealedDuringItsDeletionStaysDeleted() {
    AtomicBoolean deleting = new AtomicBoolean();
    AtomicBoolean failing = new AtomicBoolean();
    reopen(
        new ForwardingStore(mortal) {
          @Override
          public RowCursor scan(Family family, Scan scan) {
            if (isOfPoints(family) && deleting.compareAndSet(true, false)) {
              db.put("m", HOUR, 5, WEB01).join();
              failing.set(true);
              assertThatExceptionOfType(StoreException.class).isThrownBy(() -> db.flush());
            }
            return super.scan(family, scan);
          }

          @Override
          public void mutate(Family family, List<RowMutation> batch) {
            if (failing.get() && family.equals(options().journalFamily())) {
              throw new StoreException(Outcome.NOT_APPLIED, MortalStore.DEAD);
            }
            super.mutate(family, batch);
          }
        },
        options());
    db.put("m", HOUR.plusSeconds(1), 1, WEB01).join();
    deleting.set(true);

    try {
      assertThat(db.delete(FIRST)).isEqualTo(1);
    } catch (StoreException e) { // it is not acknowledged, and repeated
      assertThat(e).hasMessageContaining(MortalStore.DEAD);
      failing.set(false);
      db.delete(FIRST);
    }
    assertThat(points("m", WEB01)).containsOnlyKeys(HOUR.plusSeconds(1));
    die(options());

    assertThat(points("m", WEB01)).containsOnlyKeys(HOUR.plusSeconds(1));
  }

  @ParameterizedTest
  @CsvSource({"true, true", "true, false", "false, true", "false, false"})
  final void aPointWhoseRecordIsPerhapsStoredDoesNotComeBack(boolean isOpen, boolean deletes) {
    AtomicBoolean doubtful = new AtomicBoolean();
    reopen(
        new ForwardingStore(mortal) {
          @Override
          public void mutate(Family family, List<RowMutation> batch) {
            super.mutate(family, batch);
            if (doubtful.get() && family.equals(options().journalFamily())) {
              throw new StoreException(Outcome.UNKNOWN, MortalStore.DEAD);
            }
          }

          @Override
          public Row get(Family family, byte[] row, Columns columns) {
            if (doubtful.get() && family.equals(options().journalFamily())) {
              throw new StoreException(Outcome.NOT_APPLIED, MortalStore.DEAD);
            }
            return super.get(family, row, columns);
          }
        },
        options());
    db.put("other", HOUR, 1, WEB01).join(); // keeps the journal's beginning
    if (isOpen) {
      db.put("m", HOUR.plusSeconds(1), 1, WEB01).join();
    }
    doubtful.set(true);
    assertThatExceptionOfType(CompletionException.class)
        .isThrownBy(() -> db.put("m", HOUR, 5, WEB01).join())
        .withMessageContaining(MortalStore.DEAD);
    doubtful.set(false);

    if (deletes) {
      db.delete(FIRST);
    } else {
      db.put("m", HOUR, 6, WEB01).join();
    }
    die(options());

    Map<?, ?> read = points("m", WEB01);
    assertThat(read.get(HOUR)).isEqualTo(deletes ? null : 6.0);
    assertThat(read).hasSize((isOpen ? 1 : 0) + (deletes ? 0 : 1));
  }

  /** The row stays in the journal when the database is closed. */
  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  final void aRowThatWasPerhapsSealedBeforeAClosingReplacesNoLaterPoint(String head) {
    AtomicBoolean doubtful = new AtomicBoolean();
    reopen(
        new ForwardingStore(mortal) {
          @Override
          public void mutate(Family family, List<RowMutation> batch) {
            super.mutate(family, batch);
            if (doubtful.get() && isOfPoints(family)) {
              throw new StoreException(Outcome.UNKNOWN, MortalStore.DEAD);
            }
          }
        },
        options());
    db.put("m", HOUR, 5, WEB01).join();
    db.put("m", HOUR.plusSeconds(1), 5, WEB01).join();
    doubtful.set(true);
    try {
      db.close();
    } catch (StoreException e) {
      assertThat(e).hasMessageContaining(MortalStore.DEAD);
    }

    db = Tsdb.over(mortal, options().with(Settings.HEAD, head));
    assertThat(points("m", WEB01)).hasSize(2);
    db.put("m", HOUR, 6, WEB01).join();
    assertThat(
            db.delete(
                Query.metric("m")
                    .betweenMillis(HOUR.toEpochMilli() + 1000, HOUR.toEpochMilli() + 1001)))
        .isEqualTo(1);
    die(options());

    assertThat(points("m", WEB01)).isEqualTo(Map.of(HOUR, 6.0));
  }
}
