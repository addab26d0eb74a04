package org.hourstone.testing;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.head.HeadStats;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.HiddenPutsException;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.StoreException;
import org.hourstone.testkit.store.MortalStore;
import org.junit.jupiter.api.Test;

/**
 * Daemons that keep journals on a shared store: points are acknowledged by a record, and are in the
 * table after the interval.
 */
public abstract class WriterJournalContract extends WriterCase {
  @Test
  final void aPointIsSeenAtOnceHereAndByOthersAfterTheInterval() {
    Tsdb a = open(store, "a");
    Tsdb b = open(store, "b");
    a.put("m", HOUR, 5, WEB01).join();

    assertThat(points(a)).isEqualTo(Map.of(HOUR, 5.0));
    assertThat(dataRows(a)).isEmpty();
    fixture.clock().advance(Duration.ofSeconds(31));
    // Rows that are due are sealed after the points of a record are acknowledged.
    a.put("m", HOUR.plusSeconds(1), 6, WEB01).join();
    a.put("m", HOUR.plusSeconds(2), 7, WEB01).join();

    assertThat(dataRows(a)).hasSize(1);
    assertThat(points(b)).isEqualTo(Map.of(HOUR, 5.0, HOUR.plusSeconds(1), 6.0));
    assertThat(points(a)).hasSize(3);
  }

  @Test
  final void aDatabaseThatIsClosedHasNoJournal() {
    Tsdb a = open(store, "a");
    a.put("m", HOUR, 5, WEB01).join();
    a.close();
    Tsdb b = open(store, "b");

    assertThat(points(b)).hasSize(1);
    assertThat(rows(b.engine().options().journalFamily()))
        .as("the states of the writers")
        .hasSize(2);
  }

  /** As one cell, for example because a file is corrupt. */
  @Test
  final void aRowOfATakenOverJournalThatTheStoreRefusesIsCounted() {
    MortalStore mortal = new MortalStore(store);
    Tsdb b =
        open(
            new ForwardingStore(store) {
              @Override
              public void mutate(Family family, List<RowMutation> batch) {
                boolean merges =
                    batch.stream()
                        .flatMap(row -> row.changes().stream())
                        .anyMatch(change -> change.qualifier().length > 2);
                if (HeadCase.isOfPoints(family) && merges) {
                  throw new StoreException(StoreException.Outcome.REJECTED, "a corrupt file");
                }
                super.mutate(family, batch);
              }
            },
            "b");
    Tsdb a = open(mortal, "a");
    a.put("m", HOUR, 5, WEB01).join();
    a.put("m", HOUR.plusSeconds(1), 6, WEB01).join();
    mortal.die();

    letExpire(b);

    assertThat(points(b)).isEqualTo(Map.of(HOUR, 5.0, HOUR.plusSeconds(1), 6.0));
    assertThat(requireNonNull(b.headStats()))
        .extracting(HeadStats::takeovers, HeadStats::sealed, HeadStats::refused)
        .containsExactly(1L, 1L, 1L);
  }

  @Test
  final void ofPointsThatTheStoreWouldHideOnlyTheOthersAreWritten() {
    byte[] secondOfHour = {0x00, 0x10};
    Tsdb a =
        open(
            new ForwardingStore(store) {
              @Override
              public void mutate(Family family, List<RowMutation> batch) {
                List<byte[]> refused =
                    batch.stream()
                        .flatMap(row -> row.changes().stream())
                        .filter(Change.PutIfNewer.class::isInstance)
                        .map(Change::qualifier)
                        .filter(each -> holds(each, secondOfHour))
                        .toList();
                if (!refused.isEmpty()) {
                  throw new HiddenPutsException("was deleted", refused);
                }
                super.mutate(family, batch);
              }
            },
            "a");
    for (int second = 0; second < 3; second++) {
      a.put("m", HOUR.plusSeconds(second), second, WEB01).join();
    }

    a.flush();

    assertThat(points(a)).isEqualTo(Map.of(HOUR, 0.0, HOUR.plusSeconds(2), 2.0));
    assertThat(hidden(a)).isOne();
    a.put("m", HOUR.plusSeconds(3), 3, WEB01).join();
    a.close();
    assertThat(points(open(store, ""))).hasSize(3);
  }

  /**
   * HBase dates a deletion by its own clock, and hides what is dated before, whenever it is put.
   */
  @Test
  final void aPointThatIsAcceptedAfterADeletionStaysThoughTheClockIsBehind() {
    AtomicLong deleted = new AtomicLong();
    KeyValueStore hiding =
        new ForwardingStore(store) {
          @Override
          public void mutate(Family family, List<RowMutation> batch) {
            List<byte[]> refused =
                batch.stream()
                    .flatMap(row -> row.changes().stream())
                    .filter(each -> each instanceof Change.PutIfNewer put && isHidden(put))
                    .map(Change::qualifier)
                    .toList();
            if (HeadCase.isOfPoints(family) && !refused.isEmpty()) {
              throw new HiddenPutsException("was deleted", refused);
            }
            super.mutate(family, batch);
          }

          private boolean isHidden(Change.PutIfNewer put) {
            return put.writeTime() <= deleted.get();
          }
        };
    TsdbOptions behind =
        options("a").withClock(() -> fixture.clock().instant().minus(Duration.ofSeconds(2)));
    Tsdb a = Tsdb.over(hiding, behind);
    opened.add(a);
    store.put(journal(a), new byte[] {9}, new byte[] {9}, new byte[] {9});
    Row now = store.get(journal(a), new byte[] {9}, Columns.all());
    store.mutate(journal(a), List.of(new RowMutation(new byte[] {9}, new Change.DeleteRow())));
    deleted.set(now.writeTime(0));
    fixture.clock().advance(Duration.ofSeconds(1));
    a.put("m", HOUR, 5, WEB01).join();
    a.flush();

    assertThat(hidden(a)).isZero();
    assertThat(dataRows(a)).hasSize(1);
  }

  @Test
  final void withoutANameThereIsNoJournal() {
    Tsdb a = open(store, "");
    a.put("m", HOUR, 5, WEB01).join();

    assertThat(dataRows(a)).hasSize(1);
    Family journal = a.engine().options().journalFamily();
    assertThat(store.families().contains(journal) ? rows(journal) : List.of()).isEmpty();
  }

  @Test
  final void aJournalNeedsAnIntervalAndMultiPointCells() {
    TsdbOptions appending = options("a").with(Settings.ENABLE_APPENDS, "true");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Tsdb.over(store, appending))
        .withMessageContaining("multi-point cells");
    TsdbOptions direct = options("a").with(Settings.FLUSH_INTERVAL, "0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Tsdb.over(store, direct))
        .withMessageContaining("needs a time");
  }

  /** Whether a point's qualifier is one of those of a cell, all of 2 bytes. */
  private static boolean holds(byte[] cell, byte[] qualifier) {
    for (int at = 0; at + 1 < cell.length; at += 2) {
      if (Arrays.equals(cell, at, at + 2, qualifier, 0, 2)) {
        return true;
      }
    }
    return false;
  }
}
