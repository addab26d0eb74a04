package org.hourstone.testing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.text.MessageFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.hourstone.MemorySettings;
import org.hourstone.Tsdb;
import org.hourstone.codec.CorruptDataException;
import org.hourstone.head.WriterJournal;
import org.hourstone.head.WriterJournal.Loss;
import org.hourstone.head.WriterJournal.State;
import org.hourstone.head.WriterJournals;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Family;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.Scan;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.hourstone.testkit.LoggedBy;
import org.hourstone.testkit.store.MortalStore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Journals of writers on a shared store that fails, or has a corrupt state of a writer. */
public abstract class WriterFaultContract extends WriterCase {
  /** Then no one could renew a lease. */
  @Test
  final void noOneIsTakenOverAfterTheStoreHasNotAnswered() {
    AtomicBoolean isDown = new AtomicBoolean();
    Tsdb a = open(store, "a");
    Tsdb b =
        open(
            new ForwardingStore(store) {
              @Override
              public RowCursor scan(Family family, Scan scan) {
                if (isDown.get()) {
                  throw new StoreException(Outcome.NOT_APPLIED, "down");
                }
                return super.scan(family, scan);
              }
            },
            "b");
    a.put("m", HOUR, 5, WEB01).join();
    b.engine().tendJournals();
    fixture.clock().advance(LEASE);
    isDown.set(true);
    assertThatExceptionOfType(StoreException.class).isThrownBy(b.engine()::tendJournals);
    isDown.set(false);
    b.engine().tendJournals();

    a.put("m", HOUR, 6, WEB01).join();
    assertThat(points(a)).isEqualTo(Map.of(HOUR, 6.0));
  }

  @Test
  final void rowsOfRecordsThatWereNotStoredAreForgotten() {
    AtomicBoolean isDown = new AtomicBoolean(true);
    Tsdb a =
        open(
            new ForwardingStore(store) {
              @Override
              public boolean replaceCells(Family family, Row observed, List<Cell> replacement) {
                if (isDown.get() && observed.key()[0] == 2) {
                  throw new StoreException(Outcome.NOT_APPLIED, "down");
                }
                return super.replaceCells(family, observed, replacement);
              }
            },
            "a");
    for (int i = 0; i < 1000; i++) {
      CompletableFuture<?> refused = a.put("m", HOUR.plusSeconds(3600L * i), i, WEB01);
      assertThatExceptionOfType(CompletionException.class).isThrownBy(refused::join);
    }
    isDown.set(false);
    a.put("m", HOUR, 5, WEB01).join();

    assertThat(requireNonNull(a.headStats()).journalBytes()).isLessThan(500);
    assertThatExceptionOfType(StoreException.class)
        .isThrownBy(a::flush)
        .withMessageContaining("1000 points were not stored");
  }

  /** A takeover reads it between the attempts, the first of which has had no response. */
  @Test
  final void aRecordThatMayHaveBeenReadIsNotReportedAsNotApplied() {
    AtomicReference<Runnable> lostResponse = new AtomicReference<>();
    Tsdb b = open(store, "b");
    Tsdb a =
        Tsdb.over(
            new ForwardingStore(store) {
              @Override
              public boolean replaceCells(Family family, Row observed, List<Cell> replacement) {
                boolean done = super.replaceCells(family, observed, replacement);
                Runnable then = observed.key()[0] == 2 ? lostResponse.getAndSet(null) : null;
                if (then != null) {
                  CompletableFuture.runAsync(then).join();
                  throw new StoreException(Outcome.UNKNOWN, "no response");
                }
                return done;
              }
            },
            options("a").with(MemorySettings.WRITE_ATTEMPTS, "2"));
    opened.add(a);
    lostResponse.set(() -> letExpire(b));

    assertThatExceptionOfType(CompletionException.class)
        .isThrownBy(() -> a.put("m", HOUR, 5, WEB01).join())
        .satisfies(
            e ->
                assertThat(e.getCause())
                    .isInstanceOfSatisfying(
                        StoreException.class,
                        cause -> assertThat(cause.outcome()).isEqualTo(Outcome.UNKNOWN)));
    assertThat(points(b)).isEqualTo(Map.of(HOUR, 5.0));
    assertThatExceptionOfType(StoreException.class).isThrownBy(a::close);
  }

  /** Its rows are written by another one, if that has not died, too. */
  @Test
  final void aDeletionFailsWhileAnotherProcessHasTheJournal() {
    Tsdb a = open(store, "a");
    Tsdb b = open(store, "b");
    a.put("m", HOUR, 5, WEB01).join();
    b.engine().tendJournals();
    fixture.clock().advance(LEASE);
    KeyValueStore dying =
        new ForwardingStore(store) {
          @Override
          public boolean replaceCells(Family family, Row observed, List<Cell> replacement) {
            throw new StoreException(Outcome.NOT_APPLIED, "dies before it fences");
          }
        };
    Tsdb taker = open(dying, "taker");
    taker.engine().tendJournals();
    fixture.clock().advance(LEASE);
    assertThatExceptionOfType(StoreException.class).isThrownBy(taker.engine()::tendJournals);
    a.engine().tendJournals();

    assertThatExceptionOfType(StoreException.class)
        .isThrownBy(a::flush)
        .withMessageContaining("has taken over");
  }

  @Test
  final void aWriterThatCouldNotRenewItsOwnLeaseTakesOverNoOther() {
    AtomicBoolean isDown = new AtomicBoolean();
    KeyValueStore failing =
        new ForwardingStore(store) {
          @Override
          public boolean compareAndSet(
              Family family,
              byte[] row,
              byte[] qualifier,
              byte @Nullable [] expected,
              byte @Nullable [] update) {
            if (isDown.get() && row[0] == 1) {
              throw new StoreException(Outcome.NOT_APPLIED, "too busy");
            }
            return super.compareAndSet(family, row, qualifier, expected, update);
          }
        };
    Tsdb a = open(failing, "a");
    Tsdb b = open(failing, "b");
    b.engine().tendJournals();
    isDown.set(true);
    for (int i = 0; i < 8; i++) {
      fixture.clock().advance(LEASE.dividedBy(4));
      assertThatExceptionOfType(StoreException.class).isThrownBy(b.engine()::tendJournals);
    }
    isDown.set(false);
    b.engine().tendJournals();

    assertThat(takeovers(b)).isZero();
    a.put("m", HOUR, 5, WEB01).join();
  }

  @Test
  final void aDatabaseWithoutAWriterOpensThoughJournalsCannotBeRead() {
    open(store, "a");
    KeyValueStore unreadable =
        new ForwardingStore(store) {
          @Override
          public RowCursor scan(Family family, Scan scan) {
            if (family.table().equals("tsdb-journal")) {
              throw new StoreException(Outcome.REJECTED, "no right to read");
            }
            return super.scan(family, scan);
          }
        };
    try (LoggedBy logged = LoggedBy.thisThread("org.hourstone.head")) {
      open(unreadable, "").flush();
      assertThat(logged.records())
          .singleElement()
          .satisfies(
              warning ->
                  assertThat(MessageFormat.format(warning.getMessage(), warning.getParameters()))
                      .startsWith("it can't be read")
                      .endsWith("no right to read"));
    }
  }

  @Test
  final void aWriterWithACorruptStateStopsNoOther() {
    MortalStore mortal = new MortalStore(store);
    Tsdb b = open(store, "b");
    Tsdb a = open(mortal, "a");
    open(store, "corrupt").close();
    corrupt(journal(b), "corrupt");
    a.put("m", HOUR, 5, WEB01).join();
    mortal.die();
    try (LoggedBy logged = LoggedBy.thisThread("org.hourstone.head")) {
      letExpire(b);
      assertThat(logged.records())
          .filteredOn(record -> record.getMessage().contains("is corrupt"))
          .singleElement()
          .satisfies(warning -> assertThat(warning.getParameters()).contains("corrupt"));
    }
    assertThat(b.corruptWriters()).isOne();

    assertThat(points(b)).isEqualTo(Map.of(HOUR, 5.0));
    assertThat(points(open(store, ""))).isEqualTo(Map.of(HOUR, 5.0));
    assertThatThrownBy(() -> open(store, "corrupt"))
        .hasMessageContaining("the writer corrupt: not the state of a writer");
  }

  /** Its epoch is that of its journal; a process that is paused may be of a later one. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  final void anOperatorTakesOverAWriterWithACorruptState(boolean closed) {
    MortalStore mortal = new MortalStore(store);
    open(store, "a").close();
    Tsdb a = open(mortal, "a");
    a.put("m", HOUR, 5, WEB01).join();
    if (closed) {
      a.close();
    }
    mortal.die();
    corrupt(journal(a), "\0a");
    WriterJournals journals = journals(true);
    assertThat(journals.all())
        .singleElement()
        .satisfies(writer -> assertThat(writer.state()).isEqualTo(State.CORRUPT));

    assertThat(journals.takeOver("a")).isEqualTo(closed ? 0 : 1);

    WriterJournal now = journals.all().get(0);
    assertThat(now.state()).isEqualTo(State.CLOSED);
    assertThat(now.epoch()).isGreaterThan(1000);
    Tsdb next = open(store, "a");
    assertThat(points(next)).isEqualTo(Map.of(HOUR, 5.0));
    next.put("m", HOUR, 7, WEB01).join();
    assertThat(points(next)).isEqualTo(Map.of(HOUR, 7.0));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  final void anOperatorDeletesAJournalThatCannotBeRead(boolean corruptState) {
    MortalStore mortal = new MortalStore(store);
    Tsdb a = open(mortal, "a");
    a.put("m", HOUR, 5, WEB01).join();
    a.put("m", HOUR, 6, WEB01).join();
    a.put("m", HOUR.plusSeconds(1), 7, WEB01).join();
    mortal.die();
    if (corruptState) {
      corrupt(journal(a), "\0a");
    }
    corrupt(journal(a), "\0\0\2"); // the second record
    List<Row> before = rows(journal(a));
    WriterJournals journals = journals(true);

    Loss expected = journals.delete("a", false);
    assertThat(rows(journal(a))).usingRecursiveComparison().isEqualTo(before);
    if (!corruptState) {
      assertThatExceptionOfType(CorruptDataException.class)
          .isThrownBy(() -> journals.takeOver("a"))
          .withMessageContaining("journal record");
    }
    Loss lost = journals.delete("a", true);

    assertThat(lost).isEqualTo(expected);
    assertThat(lost.records()).isEqualTo(3);
    assertThat(lost.unreadable()).isOne();
    assertThat(lost.missing()).isZero();
    assertThat(lost.points()).isEqualTo(2);
    assertThat(journals.all())
        .singleElement()
        .satisfies(
            writer -> {
              assertThat(writer.state()).isEqualTo(State.CLOSED);
              assertThat(writer.records()).isZero();
            });
    Tsdb next = open(store, "a");
    next.put("m", HOUR, 8, WEB01).join();
    next.flush();
    assertThat(points(next)).isEqualTo(Map.of(HOUR, 8.0));
  }

  /** Else its lease would begin again and again, and an operator could never delete it. */
  @Test
  final void aJournalThatCannotBeReadIsTriedOnceByEachProcess() {
    MortalStore mortal = new MortalStore(store);
    Tsdb b = open(store, "b");
    Tsdb a = open(mortal, "a");
    a.put("m", HOUR, 5, WEB01).join();
    mortal.die();
    corrupt(journal(a), "\0\0\1");
    b.engine().tendJournals();
    fixture.clock().advance(LEASE);
    assertThatExceptionOfType(CorruptDataException.class).isThrownBy(b.engine()::tendJournals);
    List<Row> states = states(journal(a), "\0a");
    assertThat(b.corruptWriters()).isOne();

    for (int i = 0; i < 5; i++) {
      letExpire(b);
    }

    assertThat(states(journal(a), "\0a")).usingRecursiveComparison().isEqualTo(states);
    assertThat(b.corruptWriters()).isOne();
    assertThat(journals(true).delete("a", true).records()).isOne();
    letExpire(b);
    assertThat(b.corruptWriters()).isZero();
  }

  /** It was not dead, and trimmed records between two that were read. */
  @Test
  final void aJournalThatCanBeReadOnceItIsFencedIsNotDeleted() {
    MortalStore mortal = new MortalStore(store);
    Tsdb a = open(mortal, "a");
    a.put("m", HOUR, 5, WEB01).join();
    mortal.die();
    AtomicBoolean isFenced = new AtomicBoolean();
    KeyValueStore over =
        new ForwardingStore(store) {
          @Override
          public RowCursor scan(Family family, Scan scan) {
            boolean hides = !isFenced.get() && scan.start().length > 1 && scan.start()[0] == 2;
            return hides && isOfSome(scan)
                ? super.scan(family, Scan.range(scan.start(), scan.start()))
                : super.scan(family, scan);
          }

          /** Not of all records, which finds the last one. */
          private boolean isOfSome(Scan scan) {
            byte[] stop = scan.stop();
            return stop != null && stop[stop.length - 1] == 2;
          }

          @Override
          public boolean replaceCells(Family family, Row observed, List<Cell> replacement) {
            isFenced.set(true);
            return super.replaceCells(family, observed, replacement);
          }
        };

    assertThatExceptionOfType(StoreException.class)
        .isThrownBy(() -> journals(over, true).delete("a", true))
        .withMessageContaining("can be read now");
    assertThat(points(open(store, "a"))).isEqualTo(Map.of(HOUR, 5.0));
  }

  /** A process of an epoch that is not known may be paused, whoever closes the journal. */
  @Test
  final void aTakeoverOfACorruptStateMayBeInterrupted() {
    MortalStore mortal = new MortalStore(store);
    Tsdb a = open(mortal, "a");
    Tsdb b = open(store, "b");
    a.put("m", HOUR, 5, WEB01).join();
    mortal.die();
    corrupt(journal(a), "\0a");
    KeyValueStore over =
        new ForwardingStore(store) {
          @Override
          public boolean replaceCells(Family family, Row observed, List<Cell> replacement) {
            throw new StoreException(Outcome.NOT_APPLIED, "interrupted before the fence");
          }
        };
    assertThatExceptionOfType(StoreException.class)
        .isThrownBy(() -> journals(over, true).takeOver("a"));

    letExpire(b);

    WriterJournal now = journals(true).all().get(0);
    assertThat(now.state()).isEqualTo(State.CLOSED);
    assertThat(now.epoch()).isGreaterThan(1000);
    assertThat(points(b)).isEqualTo(Map.of(HOUR, 5.0));
  }

  private List<Row> states(Family journal, String end) {
    return rows(journal).stream()
        .filter(row -> new String(row.key(), ISO_8859_1).endsWith(end))
        .toList();
  }

  @Test
  final void anOperatorCannotDeleteAJournalThatCanBeRead() {
    MortalStore mortal = new MortalStore(store);
    Tsdb a = open(mortal, "a");
    a.put("m", HOUR, 5, WEB01).join();
    mortal.die();

    assertThatExceptionOfType(StoreException.class)
        .isThrownBy(() -> journals(true).delete("a", true))
        .withMessageContaining("the writer a: its journal can be read");
    assertThat(points(open(store, "a"))).isEqualTo(Map.of(HOUR, 5.0));
  }
}
