package org.hourstone.testing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.text.MessageFormat;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.hourstone.MemorySettings;
import org.hourstone.Settings;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.HiddenPutsException;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.hourstone.kv.Trait;
import org.hourstone.testkit.LoggedBy;
import org.hourstone.testkit.StoreFixture;
import org.hourstone.testkit.store.MortalStore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Daemons that keep journals on a shared store: points are acknowledged by a record, and are in the
 * table after the interval, or once another one has taken over the journal. Any store is used as if
 * it was shared.
 */
@Timeout(300)
public abstract class WriterJournalContract {
  private static final Instant HOUR = HeadCase.HOUR;
  private static final Tags WEB01 = HeadCase.WEB01;
  private static final Duration LEASE = Duration.ofSeconds(60);

  @TempDir private Path directory;
  private StoreFixture fixture;
  private KeyValueStore store;
  private final List<Tsdb> opened = new ArrayList<>();

  /** Opens the store under test, empty. */
  protected abstract KeyValueStore open(StoreFixture fixture);

  @BeforeEach
  final void openStore() {
    fixture = StoreFixture.in(directory, 1).ticking();
    KeyValueStore own = open(fixture);
    Set<Trait> traits = EnumSet.of(Trait.SHARED);
    traits.addAll(own.traits());
    store =
        new ForwardingStore(own) {
          @Override
          public Set<Trait> traits() {
            return traits;
          }
        };
  }

  @AfterEach
  final void close() {
    for (Tsdb db : opened) {
      try {
        db.close();
      } catch (StoreException e) {
        assertThat(e).hasMessageContaining(MortalStore.DEAD);
      }
    }
    store.close();
  }

  private TsdbOptions options(String writer) {
    return TsdbOptions.defaults()
        .withClock(fixture.clock())
        .with(Settings.HEAD_WRITER, writer)
        .with(Settings.CREATE_TABLES, "true")
        .with(Settings.COMPACTION_BACKGROUND, "false")
        .with(MemorySettings.WRITE_ATTEMPTS, "1")
        .with(MemorySettings.WRITE_THREADS, "1");
  }

  private Tsdb open(KeyValueStore over, String writer) {
    Tsdb db = Tsdb.over(over, options(writer));
    opened.add(db);
    return db;
  }

  private static Map<Instant, Double> points(Tsdb db) {
    return HeadCase.points(db, "m", WEB01);
  }

  private List<Row> rows(Family family) {
    return HeadCase.rows(store, family, Scan.all());
  }

  private List<Row> dataRows(Tsdb db) {
    return rows(db.engine().tables().points());
  }

  /** Both see the leases, and then one of them only renews its own. */
  private void letExpire(Tsdb taker) {
    taker.engine().tendJournals();
    fixture.clock().advance(LEASE);
    taker.engine().tendJournals();
  }

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

  @Test
  final void theNextStartOfAWriterThatDiedSealsItsPoints() {
    MortalStore mortal = new MortalStore(store);
    Tsdb a = open(mortal, "a");
    a.put("m", HOUR, 5, WEB01).join();
    a.put("m", HOUR, 6, WEB01).join();
    mortal.die();

    Tsdb next = open(store, "a");

    assertThat(dataRows(next)).hasSize(1);
    assertThat(points(next)).isEqualTo(Map.of(HOUR, 6.0));
  }

  /** Whatever is interrupted at each of its writes. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6})
  final void aStartThatIsInterruptedIsRepeated(int writes) {
    MortalStore mortal = new MortalStore(store);
    Tsdb a = open(mortal, "a");
    a.put("m", HOUR, 5, WEB01).join();
    a.flush();
    a.put("m", HOUR, 6, WEB01).join();
    mortal.die();
    MortalStore again = new MortalStore(store);
    again.dieAfter(writes, true);
    try {
      open(again, "a");
    } catch (StoreException e) {
      assertThat(e).hasMessageContaining(MortalStore.DEAD);
    }
    again.die();

    Tsdb last = open(store, "a");

    assertThat(points(last)).isEqualTo(Map.of(HOUR, 6.0));
  }

  @Test
  final void anotherWriterTakesOverAfterTheLease() {
    MortalStore mortal = new MortalStore(store);
    Tsdb b = open(store, "b");
    Tsdb a = open(mortal, "a");
    a.put("m", HOUR, 5, WEB01).join();
    mortal.die();
    b.engine().tendJournals();
    fixture.clock().advance(LEASE.dividedBy(2));
    b.engine().tendJournals();

    assertThat(points(b)).as("within the lease").isEmpty();
    assertThat(takeovers(b)).isZero();
    fixture.clock().advance(LEASE.dividedBy(2));
    b.engine().tendJournals();

    assertThat(points(b)).isEqualTo(Map.of(HOUR, 5.0));
    assertThat(takeovers(b)).isOne();
  }

  private static long takeovers(Tsdb db) {
    return requireNonNull(db.headStats()).takeovers();
  }

  @Test
  final void databasesOfOtherTablesShareNoWriters() {
    MortalStore mortal = new MortalStore(store);
    Tsdb a = open(mortal, "a");
    a.put("m", HOUR, 5, WEB01).join();
    mortal.die();
    Tsdb other = Tsdb.over(store, options("b").with(Settings.DATA_TABLE, "tsdb2"));
    opened.add(other);
    letExpire(other);

    assertThat(dataRows(other)).isEmpty();
    assertThat(points(open(store, "a"))).isEqualTo(Map.of(HOUR, 5.0));
  }

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

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  final void aNewerValueStaysThoughTheNextStartHasAClockThatIsBehind(boolean dies) {
    MortalStore mortal = new MortalStore(store);
    Tsdb a = open(mortal, "a");
    a.put("m", HOUR, 5, WEB01).join();
    if (dies) {
      mortal.die();
    } else {
      a.close();
    }
    TsdbOptions behind =
        options("a").withClock(() -> fixture.clock().instant().minus(Duration.ofSeconds(2)));
    Tsdb next = Tsdb.over(store, behind);
    opened.add(next);
    next.put("m", HOUR, 7, WEB01).join();
    next.close();

    assertThat(points(open(store, ""))).isEqualTo(Map.of(HOUR, 7.0));
  }

  @Test
  final void aWriterThatRenewsItsLeaseKeepsItsJournal() {
    Tsdb a = open(store, "a");
    Tsdb b = open(store, "b");
    a.put("m", HOUR, 5, WEB01).join();
    for (int i = 0; i < 10; i++) {
      a.engine().tendJournals();
      b.engine().tendJournals();
      fixture.clock().advance(LEASE.dividedBy(4));
    }

    a.put("m", HOUR.plusSeconds(1), 6, WEB01).join();
    assertThat(a.storeState().refusal()).isNull();
  }

  @Test
  final void aWriterThatWasTakenOverAcknowledgesNothing() {
    Tsdb a = open(store, "a");
    Tsdb b = open(store, "b");
    a.put("m", HOUR, 5, WEB01).join();
    letExpire(b);

    for (int i = 0; i < 2; i++) {
      assertThatExceptionOfType(CompletionException.class)
          .isThrownBy(() -> a.put("m", HOUR, 6, WEB01).join())
          .withMessageContaining("has taken over the journal of the writer a");
    }
    assertThat(a.storeState().refusal()).contains("until it is started again");
    assertThatExceptionOfType(StoreException.class)
        .isThrownBy(a::flush)
        .withMessageContaining("has taken over the journal");
    assertThat(points(a)).as("as the other one has sealed it").isEqualTo(Map.of(HOUR, 5.0));
    assertThatExceptionOfType(StoreException.class)
        .isThrownBy(a::close)
        .withMessageContaining("2 points were not stored");
    Tsdb next = open(store, "a");
    next.put("m", HOUR, 7, WEB01).join();
    assertThat(points(next)).isEqualTo(Map.of(HOUR, 7.0));
  }

  /** The process is paused right before it writes its row. */
  @Test
  final void aRowThatIsSealedLateUndoesNothing() {
    AtomicReference<Runnable> pause = new AtomicReference<>(() -> {});
    Tsdb b = open(store, "b");
    Tsdb a =
        open(
            new ForwardingStore(store) {
              @Override
              public void mutate(Family family, List<RowMutation> batch) {
                if (HeadCase.isOfPoints(family)) {
                  // Another process works now, so not this thread.
                  CompletableFuture.runAsync(pause.getAndSet(() -> {})).join();
                }
                super.mutate(family, batch);
              }
            },
            "a");
    a.put("m", HOUR, 5, WEB01).join();
    a.put("m", HOUR.plusSeconds(1), 6, WEB01).join();
    pause.set(
        () -> {
          letExpire(b);
          b.put("m", HOUR, 7, WEB01).join();
          b.flush();
        });

    try {
      a.flush();
    } catch (StoreException e) {
      assertThat(e).hasMessageContaining("has taken over");
    }

    assertThat(points(b)).isEqualTo(Map.of(HOUR, 7.0, HOUR.plusSeconds(1), 6.0));
  }

  /** On HBase, which hides what is dated before it; other stores take the points. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  final void aRowThatIsDeletedBeforeItIsWrittenDoesNotStayInTheJournal(boolean dies) {
    MortalStore mortal = new MortalStore(store);
    Tsdb a = open(mortal, "a");
    a.put("m", HOUR, 5, WEB01).join();
    a.flush();
    a.put("m", HOUR.plusSeconds(1), 6, WEB01).join();
    Family data = a.engine().tables().points();
    byte[] key = dataRows(a).get(0).key();
    store.mutate(data, List.of(new RowMutation(key, new Change.DeleteRow())));

    Tsdb sealing = a;
    if (dies) {
      mortal.die();
      sealing = open(store, "a");
    } else {
      a.flush();
    }

    assertThat(dataRows(sealing).size() + hidden(sealing)).isEqualTo(1);
    assertThat(requireNonNull(sealing.headStats()).rows()).isZero();
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

  private static Family journal(Tsdb of) {
    return of.engine().options().journalFamily();
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

  /** Whether a point's qualifier is one of those of a cell, all of 2 bytes. */
  private static boolean holds(byte[] cell, byte[] qualifier) {
    for (int at = 0; at + 1 < cell.length; at += 2) {
      if (Arrays.equals(cell, at, at + 2, qualifier, 0, 2)) {
        return true;
      }
    }
    return false;
  }

  private static long hidden(Tsdb db) {
    return requireNonNull(db.headStats()).hidden();
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
  final void openJournalsAreNamedWithoutAWriter() {
    MortalStore mortal = new MortalStore(store);
    Tsdb a = open(mortal, "a");
    open(store, "b").close();
    a.put("m", HOUR, 5, WEB01).join();
    mortal.die();

    try (LoggedBy logged = LoggedBy.thisThread("org.hourstone.head")) {
      assertThat(points(open(store, ""))).isEmpty();
      assertThat(logged.records())
          .singleElement()
          .satisfies(
              warning -> {
                assertThat(warning.getMessage()).contains("journals of these writers are open");
                assertThat(warning.getParameters()).startsWith("a");
              });
    }
  }

  @Test
  final void aWriterWithACorruptStateStopsNoOther() {
    MortalStore mortal = new MortalStore(store);
    Tsdb b = open(store, "b");
    Tsdb a = open(mortal, "a");
    open(store, "corrupt").close();
    Family journal = b.engine().options().journalFamily();
    for (Row row : rows(journal)) {
      if (new String(row.key(), UTF_8).endsWith("corrupt")) {
        store.put(journal, row.key(), row.qualifier(0), new byte[] {7});
      }
    }
    a.put("m", HOUR, 5, WEB01).join();
    mortal.die();
    try (LoggedBy logged = LoggedBy.thisThread("org.hourstone.head")) {
      letExpire(b);
      assertThat(logged.records())
          .filteredOn(record -> record.getMessage().contains("is corrupt"))
          .singleElement()
          .satisfies(warning -> assertThat(warning.getParameters()).contains("corrupt"));
    }

    assertThat(points(b)).isEqualTo(Map.of(HOUR, 5.0));
    assertThat(points(open(store, ""))).isEqualTo(Map.of(HOUR, 5.0));
    assertThatThrownBy(() -> open(store, "corrupt"))
        .hasMessageContaining("the writer corrupt: not the state of a writer");
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
}
