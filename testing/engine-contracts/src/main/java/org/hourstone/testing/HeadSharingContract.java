package org.hourstone.testing;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.common.util.concurrent.Uninterruptibles;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.head.Acknowledgement;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.hourstone.testkit.store.MortalStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Several databases of one process over one store, in the order in which they are opened and
 * closed: none hides points from the others, or undoes what they have acknowledged.
 */
public abstract class HeadSharingContract extends HeadCase {
  @Test
  final void aPointOfARetiredHeadIsAcknowledgedWhenTheDataTableHasIt() {
    Gate sealing = new Gate();
    reopen(sealing::beforeWriting, options());
    try (Tsdb second = Tsdb.over(mortal, options())) {
      sealing.close();
      CompletableFuture<?> earlier = db.put("m", HOUR, 5, WEB01);
      sealing.awaitCaller();
      boolean isAcknowledged = earlier.isDone();
      sealing.open();

      assertThat(isAcknowledged).isFalse();
      earlier.join();
      second.put("m", HOUR, 6, WEB01).join();
      assertThat(points("m", WEB01)).containsEntry(HOUR, 6.0);
    }
  }

  @ParameterizedTest
  @EnumSource(Outcome.class)
  final void aPointOfARetiredHeadWhoseRowCannotBeWrittenIsNotAcknowledged(Outcome outcome) {
    AtomicBoolean failing = new AtomicBoolean();
    reopenOverFailingRows(failing, outcome);
    try (Tsdb second = Tsdb.over(mortal, options())) {
      assertThat(second.engine().acknowledgement()).isNotEqualTo(Acknowledgement.JOURNAL);
      failing.set(true);

      assertFails(db.put("m", HOUR, 5, WEB01), outcome);
      failing.set(false);
    }
    assertThatExceptionOfType(StoreException.class).isThrownBy(() -> db.flush());
  }

  /** The clock does not move, so the flush interval does not end. */
  @Test
  final void aPointOfARetiredHeadIsWrittenAlthoughNoCallerWaits() throws Exception {
    try (Tsdb second = Tsdb.over(mortal, options())) {
      CountDownLatch stored = new CountDownLatch(1);
      var unused = db.put("m", HOUR, 5, WEB01).thenRun(stored::countDown);

      assertThat(stored.await(60, TimeUnit.SECONDS)).isTrue();
      assertThat(second.engine().acknowledgement()).isNotEqualTo(Acknowledgement.JOURNAL);
    }
  }

  /** The sequel when a point of a retired head has failed and another has replaced it. */
  enum Sequel {
    FLUSH,
    CLOSE,
    DEATH
  }

  @ParameterizedTest
  @EnumSource(Sequel.class)
  final void aPointOfARetiredHeadThatFailedReplacesNoneThatIsAcknowledgedLater(Sequel sequel) {
    AtomicBoolean failing = new AtomicBoolean();
    reopenOverFailingRows(failing, Outcome.NOT_APPLIED);
    Tsdb second = Tsdb.over(mortal, options());
    failing.set(true);
    assertThatException().isThrownBy(() -> db.put("m", HOUR, 5, WEB01).join());
    second.put("m", HOUR, 6, WEB01).join();

    switch (sequel) {
      case FLUSH -> {
        failing.set(false);
        assertThatException().isThrownBy(() -> db.flush()); // a point has failed
        second.close();
      }
      case CLOSE -> {
        assertThatException().isThrownBy(() -> db.close());
        second.close();
        db = Tsdb.over(mortal, options());
      }
      case DEATH -> {
        mortal.die();
        second.close();
        die(options());
      }
    }

    assertThat(points("m", WEB01)).containsEntry(HOUR, 6.0);
  }

  private static void assertFails(CompletableFuture<?> put, Outcome outcome) {
    assertThat(put)
        .failsWithin(Duration.ofSeconds(60))
        .withThrowableThat()
        .withCauseInstanceOf(StoreException.class)
        .havingCause()
        .extracting(e -> ((StoreException) e).outcome())
        .isEqualTo(outcome);
  }

  /** Opens the database over a store that does not write rows of points while that is set. */
  private void reopenOverFailingRows(AtomicBoolean failing, Outcome outcome) {
    reopen(
        (family, batch) -> {
          if (failing.get() && isOfPoints(family)) {
            throw new StoreException(outcome, MortalStore.DEAD);
          }
        },
        options());
  }

  /** Whether the database that stays has given its head up, or never had one. */
  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  final void noHeadIsOpenedWhileADatabaseWithoutOneIsOpen(String wanted) {
    try (Tsdb stays = Tsdb.over(mortal, options().with(Settings.HEAD, wanted))) {
      db.close();
      db = Tsdb.over(mortal, options());
      db.put("m", HOUR, 5, WEB01).join();
      stays.put("m", HOUR, 6, WEB01).join();
      db.flush();

      assertThat(points("m", WEB01)).containsEntry(HOUR, 6.0);
      assertThat(db.engine().acknowledgement()).isNotEqualTo(Acknowledgement.JOURNAL);
    }
    db.close();
    db = Tsdb.over(mortal, options());

    assertThat(db.engine().acknowledgement()).isEqualTo(Acknowledgement.JOURNAL);
    assertThat(points("m", WEB01)).containsEntry(HOUR, 6.0);
  }

  @Test
  final void aDatabaseWithoutAHeadKeepsALaterOneFromHavingIt() {
    db.close();
    try (Tsdb first = Tsdb.over(mortal, options().with(Settings.HEAD, "false"))) {
      db = Tsdb.over(mortal, options());
      db.put("m", HOUR, 5, WEB01).join();
      first.put("m", HOUR, 6, WEB01).join();
      db.flush();

      assertThat(points("m", WEB01)).containsEntry(HOUR, 6.0);
    }
  }

  @Test
  final void anOpeningWaitsForOneThatReadsTheJournal() {
    db.put("m", HOUR, 5, WEB01).join();
    die();
    Gate reading = new Gate();
    reading.close();
    KeyValueStore slow =
        new ForwardingStore(store) {
          @Override
          public RowCursor scan(Family family, Scan scan) {
            if (family.equals(options().journalFamily())) {
              reading.pass();
            }
            return super.scan(family, scan);
          }
        };
    CompletableFuture<Tsdb> first = CompletableFuture.supplyAsync(() -> Tsdb.over(slow, options()));
    reading.awaitCaller();

    try (Tsdb second = openWhile(reading)) {
      db = first.join();
      second.put("m", HOUR, 6, WEB01).join();
      db.flush();
      assertThat(points("m", WEB01)).containsEntry(HOUR, 6.0);
    }
  }

  @Test
  final void anOpeningWaitsForOneThatCloses() {
    Gate sealing = new Gate();
    reopen(sealing::beforeWriting, options());
    db.put("m", HOUR, 5, WEB01).join();
    sealing.close();
    CompletableFuture<Void> closing = CompletableFuture.runAsync(db::close);
    sealing.awaitCaller();

    db = openWhile(sealing);
    closing.join();

    assertThat(points("m", WEB01)).isEqualTo(Map.of(HOUR, 5.0));
    assertThat(db.engine().acknowledgement()).isEqualTo(Acknowledgement.JOURNAL);
    assertThat(dataRows()).hasSize(1);
  }

  /** Opens a database, which must wait until a gate that others wait at is opened. */
  private Tsdb openWhile(Gate gate) {
    AtomicReference<Tsdb> opened = new AtomicReference<>();
    Thread opening = new Thread(() -> opened.set(Tsdb.over(store, options())));
    opening.start();
    while (opening.getState() == Thread.State.RUNNABLE) {
      Thread.onSpinWait();
    }
    Tsdb early = opened.get();
    gate.open();
    Uninterruptibles.joinUninterruptibly(opening);
    Tsdb now = requireNonNull(opened.get());
    if (early != null) {
      early.close();
    }
    assertThat(early).as("a database that did not wait").isNull();
    return now;
  }

  @Test
  final void afterAnOpeningThatFailedTheNextHasTheJournal() {
    db.put("m", HOUR, 5, WEB01).join();
    die();
    KeyValueStore failing =
        new ForwardingStore(store) {
          @Override
          public Row get(Family family, byte[] row, Columns columns) {
            if (family.equals(options().journalFamily())) {
              throw new StoreException(Outcome.NOT_APPLIED, MortalStore.DEAD);
            }
            return super.get(family, row, columns);
          }
        };
    assertThatExceptionOfType(StoreException.class).isThrownBy(() -> Tsdb.over(failing, options()));

    db = Tsdb.over(store, options());

    assertThat(points("m", WEB01)).containsEntry(HOUR, 5.0);
    assertThat(db.engine().acknowledgement()).isEqualTo(Acknowledgement.JOURNAL);
  }

  /** Lets callers pass, or makes them wait. */
  private static final class Gate {
    private final CountDownLatch called = new CountDownLatch(1);
    private volatile CountDownLatch closed = new CountDownLatch(0);

    void close() {
      closed = new CountDownLatch(1);
    }

    void open() {
      closed.countDown();
    }

    void pass() {
      CountDownLatch waiting = closed;
      if (waiting.getCount() > 0) {
        called.countDown();
        Uninterruptibles.awaitUninterruptibly(waiting);
      }
    }

    void awaitCaller() {
      Uninterruptibles.awaitUninterruptibly(called);
    }

    /** Rows of points are written by those who pass. */
    void beforeWriting(Family family, List<RowMutation> batch) {
      if (isOfPoints(family)) {
        pass();
      }
    }
  }
}
