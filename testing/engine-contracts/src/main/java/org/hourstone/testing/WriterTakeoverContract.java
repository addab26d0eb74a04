package org.hourstone.testing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import org.hourstone.MemorySettings;
import org.hourstone.Settings;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.head.WriterJournal.State;
import org.hourstone.head.WriterJournals;
import org.hourstone.kv.Change;
import org.hourstone.kv.Family;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.kv.StoreException;
import org.hourstone.testkit.LoggedBy;
import org.hourstone.testkit.store.MortalStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Journals of writers on a shared store whose process has died or is paused: the next start, or
 * another writer, writes their points, and nothing that was acknowledged since is undone.
 */
public abstract class WriterTakeoverContract extends WriterCase {
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

  /** It says no lease. The writer itself starts again, too. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  final void aStateOfAnOlderBuildIsTakenOver(boolean byItself) {
    MortalStore mortal = new MortalStore(store);
    Tsdb b = open(store, "b");
    Tsdb a = open(mortal, "a");
    a.put("m", HOUR, 5, WEB01).join();
    mortal.die();
    for (Row row : rows(journal(b))) {
      if (new String(row.key(), ISO_8859_1).endsWith("a")) {
        byte[] value = row.value(0);
        byte[] older = Arrays.copyOf(value, value.length - Long.BYTES);
        store.put(journal(b), row.key(), row.qualifier(0), older);
      }
    }

    if (byItself) {
      assertThat(points(open(store, "a"))).isEqualTo(Map.of(HOUR, 5.0));
    } else {
      letExpire(b);
      assertThat(takeovers(b)).isOne();
    }
    assertThat(points(b)).isEqualTo(Map.of(HOUR, 5.0));
  }

  /** States are read as seldom as this one's lease allows. */
  @Test
  final void aShorterLeaseThanOnesOwnIsNotTakenForExpired() {
    Tsdb b = open(store, "b");
    Tsdb a = Tsdb.over(store, options("a").with(Settings.HEAD_LEASE, "5"));
    opened.add(a);
    a.put("m", HOUR, 5, WEB01).join();
    b.engine().tendJournals();
    fixture.clock().advance(LEASE.dividedBy(4));
    b.engine().tendJournals();

    assertThat(takeovers(b)).isZero();
    a.put("m", HOUR.plusSeconds(1), 6, WEB01).join();
  }

  /** Daemons may have different settings, and an operator's command other ones. */
  @Test
  final void eachWriterHasTheLeaseOfItsOwnSettings() {
    Tsdb b = open(store, "b");
    Tsdb a = Tsdb.over(store, options("a").with(Settings.HEAD_LEASE, "120"));
    opened.add(a);
    a.put("m", HOUR, 5, WEB01).join();

    letExpire(b);
    assertThat(takeovers(b)).as("after the lease of b").isZero();
    assertThat(journals(true).all())
        .extracting(each -> each.leaseEnd() - each.renewed())
        .containsExactly(2 * LEASE.toMillis(), LEASE.toMillis());

    letExpire(b);
    assertThat(takeovers(b)).isOne();
    assertThat(points(b)).isEqualTo(Map.of(HOUR, 5.0));
  }

  /** The one that died may have had much more memory. */
  @Test
  final void aJournalThatTakesMoreMemoryThanThereIsIsTakenOverInParts() {
    MortalStore mortal = new MortalStore(store);
    int[] scans = {0};
    KeyValueStore counted =
        new ForwardingStore(store) {
          @Override
          public RowCursor scan(Family family, Scan scan) {
            scans[0] += family.table().equals("tsdb-journal") ? 1 : 0;
            return super.scan(family, scan);
          }
        };
    Tsdb small = Tsdb.over(counted, options("b").with(MemorySettings.HEAD_BYTES, "5000"));
    opened.add(small);
    Tsdb a = open(mortal, "a");
    for (int turn = 0; turn < 3; turn++) {
      List<CompletableFuture<?>> stored = new ArrayList<>();
      for (int host = 0; host < 100; host++) {
        stored.add(a.put("m", HOUR.plusSeconds(turn), host, Tags.of("host", "h" + host)));
      }
      stored.forEach(CompletableFuture::join);
    }
    mortal.die();
    scans[0] = 0;
    letExpire(small);

    assertThat(takeovers(small)).isOne();
    assertThat(scans[0]).as("scans of the journal").isGreaterThan(10);
    assertThat(dataRows(small)).hasSize(100);
    for (int host = 0; host < 100; host++) {
      double value = host;
      assertThat(HeadCase.points(small, "m", Tags.of("host", "h" + host)))
          .isEqualTo(Map.of(HOUR, value, HOUR.plusSeconds(1), value, HOUR.plusSeconds(2), value));
    }
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

  /** Another one has begun it once more, since it takes so long, and has died. */
  @Test
  final void aTakeoverThatTakesLongerThanTheLeaseIsCompleted() {
    AtomicReference<Runnable> pause = new AtomicReference<>(() -> {});
    MortalStore mortal = new MortalStore(store);
    MortalStore later = new MortalStore(store);
    Tsdb a = open(mortal, "a");
    Tsdb b =
        open(
            new ForwardingStore(store) {
              @Override
              public void mutate(Family family, List<RowMutation> batch) {
                if (HeadCase.isOfPoints(family)) {
                  CompletableFuture.runAsync(pause.getAndSet(() -> {})).join();
                }
                super.mutate(family, batch);
              }
            },
            "b");
    Tsdb c = open(later, "c");
    a.put("m", HOUR, 5, WEB01).join();
    mortal.die();
    pause.set(
        () -> {
          c.engine().tendJournals();
          fixture.clock().advance(LEASE);
          later.dieAfter(2, true); // its own lease, and that of a
          assertThatExceptionOfType(StoreException.class).isThrownBy(c.engine()::tendJournals);
        });
    letExpire(b);

    assertThat(takeovers(b)).isOne();
    assertThat(points(open(store, "a"))).isEqualTo(Map.of(HOUR, 5.0));
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
  final void anOperatorTakesOverADeadWriter() {
    MortalStore mortal = new MortalStore(store);
    Tsdb a = open(mortal, "a");
    a.put("m", HOUR, 5, WEB01).join();
    a.put("m", HOUR, 6, WEB01).join();
    mortal.die();
    WriterJournals journals = journals(true);
    assertThat(journals.all())
        .singleElement()
        .satisfies(
            writer -> {
              assertThat(writer.name()).isEqualTo("a");
              assertThat(writer.state()).isEqualTo(State.OPEN);
              assertThat(writer.epoch()).isOne();
              assertThat(writer.records()).isEqualTo(2);
              assertThat(writer.leaseEnd() - writer.renewed()).isEqualTo(LEASE.toMillis());
            });

    assertThat(journals.takeOver("a")).isOne();

    assertThat(points(open(store, ""))).isEqualTo(Map.of(HOUR, 6.0));
    assertThat(journals.all())
        .singleElement()
        .satisfies(
            writer -> {
              assertThat(writer.state()).isEqualTo(State.CLOSED);
              assertThat(writer.records()).isZero();
            });
    assertThatExceptionOfType(StoreException.class)
        .isThrownBy(() -> journals.takeOver("a"))
        .withMessageContaining("the writer a: its journal is closed");
    Tsdb next = open(store, "a");
    next.put("m", HOUR, 7, WEB01).join();
    assertThat(points(next)).isEqualTo(Map.of(HOUR, 7.0));
  }

  @Test
  final void anOperatorTakesOverNoWriterWhoseLeaseRuns() {
    Tsdb a = open(store, "a");
    a.put("m", HOUR, 5, WEB01).join();
    WriterJournals journals = journals(false);

    assertThatExceptionOfType(StoreException.class)
        .isThrownBy(() -> journals.takeOver("a"))
        .withMessageContaining("the writer a: its lease runs until ");
    assertThatExceptionOfType(StoreException.class)
        .isThrownBy(() -> journals.delete("a", true))
        .withMessageContaining("the writer a: its lease runs until ");
    assertThatExceptionOfType(StoreException.class)
        .isThrownBy(() -> journals.takeOver("b"))
        .withMessageContaining("the writer b: there is no such writer");
    a.put("m", HOUR, 6, WEB01).join();
    assertThat(points(a)).isEqualTo(Map.of(HOUR, 6.0));
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
}
