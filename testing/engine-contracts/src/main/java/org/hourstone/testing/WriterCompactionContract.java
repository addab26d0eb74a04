package org.hourstone.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.Map;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.Scan;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.hourstone.rewrite.CompactionOutcome.Kind;
import org.hourstone.testkit.store.MortalStore;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Compaction of a row by a daemon while another one has a correction of it in its journal: the
 * merged cell must not be dated after the correction.
 */
public abstract class WriterCompactionContract extends WriterCase {
  private static final int ATTEMPTS = 1000;

  /** By how many milliseconds the clock of a writer is ahead of the store's at most. */
  private static final int CLOCKS_DIFFER = 100;

  /** How soon states are read again that were read in vain. */
  private static final Duration READ_AGAIN = Duration.ofSeconds(10);

  @BeforeEach
  final void endTheHour() {
    fixture.clock().advance(Duration.ofHours(2));
  }

  private Tsdb openQuiet(KeyValueStore over, String writer) {
    // Not all stores date cells by our clock.
    TsdbOptions options = options(writer).with(Settings.COMPACTION_QUIET, "0");
    Tsdb db = Tsdb.over(over, options);
    opened.add(db);
    return db;
  }

  /** The row has 5 and 7; the journal of the writer has 6 instead of 5, which is older than 7. */
  private void correct(Tsdb writer, Tsdb other) {
    other.put("m", HOUR, 5, WEB01).join();
    writer.engine().tendJournals(); // its clock need not be that of the store
    writer.put("m", HOUR, 6, WEB01).join();
    long corrected = storeTime(writer);
    while (storeTime(writer) < corrected + CLOCKS_DIFFER) {
      // On HBase only time makes the next point newer.
    }
    other.put("m", HOUR.plusSeconds(1), 7, WEB01).join();
  }

  /** How a cell is dated that is put now. */
  private long storeTime(Tsdb writer) {
    byte[] key = {9};
    store.put(journal(writer), key, key, key);
    return store.get(journal(writer), key, Columns.all()).writeTime(0);
  }

  private static final Map<?, ?> CORRECTED = Map.of(HOUR, 6.0, HOUR.plusSeconds(1), 7.0);

  /** Compacts the row, once its newest cell is older than the store's clock. */
  private Kind compact(Tsdb db) {
    byte[] row = dataRows(db).get(0).key();
    long before = unsealed(db);
    Kind kind = Kind.TOO_EARLY;
    for (int i = 0; i < ATTEMPTS && kind == Kind.TOO_EARLY && unsealed(db) == before; i++) {
      kind = db.engine().rowCompactor().compact(row).kind();
    }
    return kind;
  }

  private static long unsealed(Tsdb db) {
    return db.compactions().stats().unsealed();
  }

  private int cells(Tsdb db) {
    return dataRows(db).get(0).size();
  }

  /**
   * Its state says what is sealed at the next renewal, or the one after it; others read it again.
   */
  private void tend(Tsdb writer) {
    fixture.clock().advance(READ_AGAIN);
    for (int i = 0; i < 3; i++) {
      writer.engine().tendJournals();
    }
  }

  @Test
  final void aRowIsLeftAloneWhileAJournalHasAnOlderPoint() {
    Tsdb b = openQuiet(store, "");
    Tsdb a = openQuiet(store, "a");
    correct(a, b);
    tend(a);

    assertThat(compact(b)).isEqualTo(Kind.TOO_EARLY);
    assertThat(compact(a)).as("its own, too").isEqualTo(Kind.TOO_EARLY);
    assertThat(unsealed(b)).isOne();
    assertThat(cells(b)).isEqualTo(2);
    a.flush();
    assertThat(points(b)).isEqualTo(CORRECTED);
  }

  @Test
  final void theRowIsCompactedWhenTheJournalHasBeenSealed() {
    Tsdb b = openQuiet(store, "");
    Tsdb a = openQuiet(store, "a");
    correct(a, b);
    assertThat(compact(b)).isEqualTo(Kind.TOO_EARLY);
    a.flush();
    tend(a);

    assertThat(compact(b)).isEqualTo(Kind.REWRITTEN);
    assertThat(cells(b)).isOne();
    assertThat(points(b)).isEqualTo(CORRECTED);
    a.put("m", HOUR, 8, WEB01).join();
    a.flush();
    assertThat(points(b)).containsEntry(HOUR, 8.0);
  }

  @Test
  final void theRowIsCompactedWhenTheWriterHasEnded() {
    Tsdb b = openQuiet(store, "");
    Tsdb a = openQuiet(store, "a");
    correct(a, b);
    a.close();

    assertThat(compact(b)).isEqualTo(Kind.REWRITTEN);
    assertThat(points(b)).isEqualTo(CORRECTED);
  }

  @Test
  final void theRowIsLeftAloneUntilTheJournalOfADeadWriterIsTakenOver() {
    MortalStore mortal = new MortalStore(store);
    Tsdb b = openQuiet(store, "");
    Tsdb c = openQuiet(store, "c");
    Tsdb a = openQuiet(mortal, "a");
    correct(a, b);
    mortal.die();
    tend(c);
    fixture.clock().advance(LEASE.multipliedBy(2));

    assertThat(compact(b)).isEqualTo(Kind.TOO_EARLY);
    tend(c);
    assertThat(takeovers(c)).isOne();
    assertThat(compact(b)).isEqualTo(Kind.REWRITTEN);
    assertThat(points(b)).isEqualTo(CORRECTED);
  }

  /** Shows that the tests above find a compaction that does not read what writers say. */
  @Test
  final void withoutTheStatesOfWritersTheCorrectionIsLost() {
    Tsdb b =
        openQuiet(
            new ForwardingStore(store) {
              @Override
              public RowCursor scan(Family family, Scan scan) {
                return super.scan(
                    family,
                    family.table().equals("tsdb-journal") ? Scan.prefix(new byte[] {8}) : scan);
              }
            },
            "");
    Tsdb a = openQuiet(store, "a");
    correct(a, b);

    assertThat(compact(b)).isEqualTo(Kind.REWRITTEN);
    a.flush();
    assertThat(points(b)).containsEntry(HOUR, 5.0);
  }

  @Test
  final void withoutWritersRowsAreCompacted() {
    Tsdb b = openQuiet(store, "");
    b.put("m", HOUR, 5, WEB01).join();
    b.put("m", HOUR.plusSeconds(1), 7, WEB01).join();

    assertThat(compact(b)).isEqualTo(Kind.REWRITTEN);
    assertThat(unsealed(b)).isZero();
  }

  @Test
  final void aWriterWithACorruptStateMayHaveOlderPoints() {
    Tsdb b = openQuiet(store, "");
    openQuiet(store, "corrupt").close();
    b.put("m", HOUR, 5, WEB01).join();
    b.put("m", HOUR.plusSeconds(1), 7, WEB01).join();
    corrupt(journal(b), "corrupt");

    assertThat(compact(b)).isEqualTo(Kind.TOO_EARLY);
    assertThat(cells(b)).isEqualTo(2);
    assertThat(b.corruptWriters()).isOne();
  }

  @Test
  final void theRowIsCompactedWhenAnOperatorHasTakenTheJournalOver() {
    MortalStore mortal = new MortalStore(store);
    Tsdb b = openQuiet(store, "");
    Tsdb a = openQuiet(mortal, "a");
    correct(a, b);
    mortal.die();
    assertThat(compact(b)).isEqualTo(Kind.TOO_EARLY);
    assertThat(journals(true).takeOver("a")).isOne();
    fixture.clock().advance(READ_AGAIN);

    assertThat(compact(b)).isEqualTo(Kind.REWRITTEN);
    assertThat(points(b)).isEqualTo(CORRECTED);
  }

  @Test
  final void aRowIsNotCompactedIfJournalsCannotBeRead() {
    openQuiet(store, "a").close();
    Tsdb b =
        openQuiet(
            new ForwardingStore(store) {
              @Override
              public RowCursor scan(Family family, Scan scan) {
                if (family.table().equals("tsdb-journal")) {
                  throw new StoreException(Outcome.REJECTED, "no right to read");
                }
                return super.scan(family, scan);
              }
            },
            "");
    b.put("m", HOUR, 5, WEB01).join();
    b.put("m", HOUR.plusSeconds(1), 7, WEB01).join();

    assertThatExceptionOfType(StoreException.class)
        .isThrownBy(() -> compact(b))
        .withMessage("no right to read");
    assertThat(cells(b)).isEqualTo(2);
  }
}
