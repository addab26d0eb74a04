package org.hourstone.rollup;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.hourstone.Tsdb;
import org.hourstone.annotation.Annotation;
import org.hourstone.codec.RowKey;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.kv.StoreException;
import org.hourstone.query.Query;
import org.hourstone.query.SeriesCursor;
import org.junit.jupiter.api.Test;

/** Runs that end early, and rows that the store can't read. */
class RolledUpWronglyTest extends RolledAnswerCase {
  /** A store that refuses some changes. */
  private static final class Refusing extends ForwardingStore {
    private volatile Predicate<RowMutation> refused = mutation -> false;

    /** Of changes whose answer is lost. */
    private volatile Predicate<RowMutation> lost = mutation -> false;

    private volatile byte[] unreadable = {};

    @Override
    public Row get(Family family, byte[] row, Columns columns) {
      if (Arrays.equals(row, unreadable) && family.table().contains("rollup-1h")) {
        throw new StoreException(StoreException.Outcome.REJECTED, "malformed cell");
      }
      return super.get(family, row, columns);
    }

    Refusing(KeyValueStore delegate) {
      super(delegate);
    }

    @Override
    public void mutate(Family family, List<RowMutation> batch) {
      if (batch.stream().anyMatch(refused)) {
        throw new StoreException(StoreException.Outcome.NOT_APPLIED, "refused");
      }
      super.mutate(family, batch);
      if (batch.stream().anyMatch(lost)) {
        throw new StoreException(StoreException.Outcome.UNKNOWN, "lost");
      }
    }
  }

  private final Refusing refusing = (Refusing) store;

  RolledUpWronglyTest() {
    super(Refusing::new);
  }

  /** A run that rolls up the newest day, writes the values of the first one, and ends then. */
  private void rollWithoutCompletingTheFirstDay(Tsdb db) {
    db.flush();
    refusing.refused = mutation -> completesFrom(mutation) <= START;
    assertThatThrownBy(() -> flushAndRoll(db)).isInstanceOf(StoreException.class);
    refusing.refused = mutation -> false;
  }

  private static long completesFrom(RowMutation mutation) {
    for (Change change : mutation.changes()) {
      if (change instanceof Change.Put put
          && Arrays.equals(put.qualifier(), "done".getBytes(UTF_8))) {
        return HourRange.of(put.value()).from();
      }
    }
    return Long.MAX_VALUE;
  }

  private static final Query ALL = query("sum:1h-sum:m{host=*}", START, START + 3 * DAY);

  @Test
  void pointsThatAreDeletedAfterARunFailedAreNotInTheRollup() {
    try (Tsdb db = open("1h")) {
      put(db, START + 10, 5, "a");
      put(db, START + 20, 6, "b");
      put(db, START + 2 * DAY, 7, "a");
      to(START + 3 * DAY);
      rollWithoutCompletingTheFirstDay(db);

      db.delete(query("sum:m{host=a}", START, START + DAY));
      flushAndRoll(db);
      assertSame(db, ALL);
    }
  }

  @Test
  void pointsThatAreDeletedAfterARestartAreNotInTheRollup() {
    try (Tsdb db = open("1h")) {
      put(db, START + 10, 5, "a");
      put(db, START + 20, 6, "b");
      put(db, START + 2 * DAY, 7, "a");
      to(START + 3 * DAY);
      rollWithoutCompletingTheFirstDay(db);
    }
    try (Tsdb db = open("1h")) {
      db.delete(query("sum:m{host=a}", START, START + DAY));
      flushAndRoll(db);
      assertSame(db, ALL);
    }
  }

  @Test
  void theOldestPointsThatAreDeletedBeforeAllIsComputedAgainAreNotInTheRollup() {
    try (Tsdb db = open("1h")) {
      put(db, START + 10, 5, "a");
      put(db, START + 2 * DAY, 7, "a");
      to(START + 3 * DAY);
      flushAndRoll(db);
    }
    try (Tsdb db = open("10m,1h")) {
      db.delete(query("sum:m{host=a}", START, START + DAY));
      flushAndRoll(db);
      assertSame(db, ALL);
    }
  }

  @Test
  void aRowThatWasMarkedForItsAnnotationsMayHavePointsThatCanNotBeRolledUp() {
    try (Tsdb db = open("1h")) {
      put(db, START + 10, 1, "a");
      String tsuid;
      try (SeriesCursor found = db.query(query("none:m", START, START + HOUR))) {
        tsuid = Objects.requireNonNull(found.next()).tsuids().get(0);
      }
      var unused =
          db.annotations().save(new Annotation(tsuid, START + 30, 0, "deployed", "", null), true);
      put(db, START + 2 * DAY, 7, "a");
      to(START + 3 * DAY);
      rollWithoutCompletingTheFirstDay(db);
    }
    try (Tsdb db = open("1h")) {
      put(db, START + 20, 1e308, "a");
      put(db, START + 21, 1e308, "a");
      flushAndRoll(db);
      assertSame(db, query("sum:1h-max:m{host=*}", START, START + 3 * DAY));
    }
  }

  /** That a day is done was stored, but the answer of the store was lost. */
  @Test
  void aMarkOfADayThatMayBeDoneIsKept() {
    try (Tsdb db = open("1h")) {
      put(db, START + 10, 5, "a");
      put(db, START + 2 * DAY, 7, "a");
      to(START + 3 * DAY);
      db.flush();
      refusing.lost = mutation -> completesFrom(mutation) <= START;
      assertThatThrownBy(() -> flushAndRoll(db)).isInstanceOf(StoreException.class);
      refusing.lost = mutation -> false;

      put(db, START + 20, 100, "a");
      db.flush();
      refusing.refused = mutation -> has(mutation, "begun");
      assertThatThrownBy(() -> flushAndRoll(db)).isInstanceOf(StoreException.class);
      refusing.refused = mutation -> false;
    }
    try (Tsdb db = open("1h")) {
      assertSame(db, ALL);
      flushAndRoll(db);
      assertSame(db, ALL);
    }
  }

  private static boolean has(RowMutation mutation, String qualifier) {
    return mutation.changes().stream()
        .anyMatch(change -> Arrays.equals(change.qualifier(), qualifier.getBytes(UTF_8)));
  }

  /** As {@link #pointsThatAreDeletedAfterARunFailedAreNotInTheRollup}, of days. */
  @Test
  void aDayWhosePointsAreDeletedAfterARunFailedIsNotInTheRollup() {
    try (Tsdb db = open("10m,1h,1d")) {
      for (int host = 0; host < 3; host++) {
        put(db, START + 10, 5, "h" + host);
        put(db, START + 23 * HOUR, 5, "h" + host);
        put(db, START + 2 * DAY, 7, "h" + host);
      }
      to(START + 3 * DAY);
      rollWithoutCompletingTheFirstDay(db);
      db.delete(query("sum:m{host=h0}", START, START + DAY));
      db.delete(query("sum:m{host=h1}", START, START + HOUR));
      put(db, START + 20, 1000, "h2");
      flushAndRoll(db);
      for (String interval : List.of("10m", "1h", "1d")) {
        for (String by : List.of("sum", "count", "min", "max")) {
          assertSame(
              db, query("sum:" + interval + "-" + by + ":m{host=*}", START, START + 3 * DAY));
        }
      }
      assertThat(db.ownRollups().orElseThrow().verify(() -> false, done -> {})).isZero();
    }
  }

  /** As a store does with a row of which a cell is corrupt. */
  @Test
  void aRowOfRolledUpValuesThatCanNotBeReadDoesNotKeepOthersFromBeingRolledUp() {
    try (Tsdb db = open("1h")) {
      put(db, START + 10, 5, "a");
      put(db, START + 10, 6, "b");
      to(START + DAY + HOUR);
      flushAndRoll(db);
      Family values = new Family("tsdb-rollup-1h", options("").tables().points().name());
      byte[] row;
      try (RowCursor rows = store.scan(values, Scan.all())) {
        row = Objects.requireNonNull(rows.next()).key();
      }
      refusing.unreadable = row;

      put(db, START + 20, 100, "a");
      put(db, START + 20, 100, "b");
      put(db, START + DAY + 20, 100, "b");
      to(START + 3 * DAY);
      try {
        flushAndRoll(db);
      } catch (StoreException e) {
        // it may say so
      }
      assertThat(db.ownRollups().orElseThrow().hours().done().until())
          .isEqualTo(START + 3 * DAY - HOUR);
      assertThat(db.ownRollups().orElseThrow().hours().changed(new byte[0], 10)).hasSize(1);
    }
  }

  /** All days before it would keep their points, too, as they wait to be rolled up. */
  @Test
  void aRowOfRolledUpValuesThatCanNotBeReadDoesNotKeepTheDaysBeforeFromBeingRolledUpAgain() {
    try (Tsdb db = open("1h,1d")) {
      for (int day = 0; day < 4; day++) {
        put(db, START + day * DAY + 10, 5, "a");
        put(db, START + day * DAY + 10, 6, "b");
      }
      to(START + 4 * DAY + HOUR);
      flushAndRoll(db);
    }
    RowKey keys = new RowKey(options("").schema());
    Family values = new Family("tsdb-rollup-1h", options("").tables().points().name());
    byte[] row = null;
    try (RowCursor rows = store.scan(values, Scan.all())) {
      for (Row next = rows.next(); next != null; next = rows.next()) {
        if (keys.baseTime(next.key()) == START + 2 * DAY) {
          row = next.key();
        }
      }
    }
    refusing.unreadable = Objects.requireNonNull(row);
    try (Tsdb db = open("10m,1h,1d")) {
      assertThatThrownBy(() -> flushAndRoll(db)).isInstanceOf(StoreException.class);
      RolledHours hours = db.ownRollups().orElseThrow().hours();
      assertThat(hours.done().from()).isZero();
      assertThat(hours.changed(new byte[0], 100)).isNotEmpty();
      assertThatThrownBy(() -> db.ownRollups().orElseThrow().verify(() -> false, done -> {}))
          .isInstanceOf(StoreException.class);

      refusing.unreadable = new byte[0];
      flushAndRoll(db);
      assertThat(hours.changed(new byte[0], 100)).isEmpty();
      for (String every : List.of("10m", "1h", "1d")) {
        assertSame(db, query("sum:" + every + "-sum:m{host=*}", START, START + 4 * DAY));
      }
    }
  }
}
