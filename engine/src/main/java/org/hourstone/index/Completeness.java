package org.hourstone.index;

import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.hourstone.codec.Schema;
import org.hourstone.index.IndexState.Status;
import org.hourstone.kv.Family;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * Whether the index has all series, and whether all rows are in the salt buckets of a known number
 * of buckets: the state row of the table. Every process maintains it as follows.
 *
 * <ul>
 *   <li>The index of a database without rows is complete.
 *   <li>A process that puts rows without entries marks it incomplete first. It checks that the mark
 *       is still there before it puts further rows, and again before it acknowledges them, unless
 *       its last check was less than {@link #LOOK_SECONDS} seconds ago; on a store of one process,
 *       it always checks.
 *   <li>A rebuild that begins with an incomplete index first waits {@link #QUIET_SECONDS} seconds,
 *       if other processes may write. Then rows that are acknowledged without a check since the
 *       rebuild began are in the store, and are read. A later check voids the rebuild, or the
 *       complete index.
 *   <li>If there is no table yet, a check is remembered only if a row was put before it. The index
 *       of a database with rows is not complete until it is rebuilt.
 * </ul>
 *
 * <p>So no acknowledged row is missed if its writer follows these rules. The number of buckets is
 * treated in the same way: a process that puts rows into other buckets removes the number.
 * Thread-safe.
 */
final class Completeness {
  /**
   * How often a process that writes rows without entries, or into other buckets, checks whether
   * another process has marked the index again.
   */
  static final int LOOK_SECONDS = 30;

  /** Longer than the time between two checks, even if the clocks run at different speeds. */
  static final int QUIET_SECONDS = 90;

  private static final SecureRandom RANDOM = new SecureRandom();

  private final IndexTable table;
  private final List<Family> rows;
  private final Schema schema;
  private final InstantSource clock;

  /** If no other process can write, a check costs almost nothing, and waiting is unnecessary. */
  private final boolean shared;

  private volatile long lookedAt = Long.MIN_VALUE;

  /**
   * @param rows the families whose series the index must contain
   * @param shared whether other processes may write
   */
  Completeness(
      IndexTable table, List<Family> rows, Schema schema, InstantSource clock, boolean shared) {
    this.table = table;
    this.rows = rows;
    this.schema = schema;
    this.clock = clock;
    this.shared = shared;
  }

  /** Decodes a stored state; null if there is none, or the table is for UIDs of other widths. */
  @Nullable IndexState read(byte @Nullable [] stored) {
    IndexState state = stored == null ? null : IndexState.read(stored);
    return state != null && state.fits(schema) ? state : null;
  }

  boolean isComplete(@Nullable IndexState state) {
    return state != null && state.isComplete(rows);
  }

  /** The state if the index is complete, else null. */
  @Nullable IndexState complete() {
    IndexState state = read(table.state());
    return isComplete(state) ? state : null;
  }

  /** Whether every row is known to be in its own salt bucket. */
  boolean hasOwnBucketsOnly() {
    IndexState state = complete();
    return state != null && state.run() == 0 && state.buckets() == buckets();
  }

  /** The number of buckets; 1 without a salt. */
  private int buckets() {
    return schema.saltWidth() == 0 ? 1 : schema.saltBuckets();
  }

  /**
   * Called before this process puts rows and their entries: marks the new index of a new database
   * complete.
   *
   * @param isEmpty whether a family has no rows
   * @return whether entries can be put, that is, the table is for UIDs of these widths
   */
  boolean begin(Predicate<Family> isEmpty) {
    while (true) {
      byte[] stored = table.state();
      IndexState state = stored == null ? null : IndexState.read(stored);
      if (state != null && !state.fits(schema)) {
        return false;
      }
      IndexState now = state == null ? IndexState.of(schema, newNumber()) : state;
      if (stored == null && rows.stream().allMatch(isEmpty)) {
        now = now.complete(rows).withBuckets(buckets());
      } else if (now.status() == Status.COMPLETE) {
        now = withEmptyFamilies(now, isEmpty);
      }
      int known = now.buckets() == buckets() || schema.saltWidth() == 0 ? buckets() : 0;
      if (changeTo(stored, now.withBuckets(known))) {
        return true;
      }
    }
  }

  /**
   * Adds the families without rows: no series of a newly created table of rolled-up values is
   * missing.
   */
  private IndexState withEmptyFamilies(IndexState state, Predicate<Family> isEmpty) {
    List<Family> more = new ArrayList<>();
    for (Family family : rows) {
      if (!state.isComplete(List.of(family)) && isEmpty.test(family)) {
        more.add(family);
      }
    }
    return more.isEmpty() ? state : state.complete(more);
  }

  private boolean changeTo(byte @Nullable [] stored, IndexState wanted) {
    return wanted.isStoredAs(stored) || table.changeState(stored, wanted);
  }

  /** Called before this process puts rows without entries. */
  void beforeUnentered() {
    markIncomplete(false);
  }

  /** Called after this process has put rows without entries, and before it acknowledges them. */
  void afterUnentered() {
    markIncomplete(true);
  }

  private void markIncomplete(boolean hasRows) {
    if (isTimeToLook()) {
      long now = clock.millis();
      boolean exists = table.exists();
      if (exists) {
        invalidate();
      }
      if (exists || hasRows) {
        lookedAt = now;
      }
    }
  }

  /**
   * Called before this process puts rows and their entries: other processes may expect the rows in
   * other buckets.
   */
  void beforeEntered() {
    lookForBuckets();
  }

  /** Called after this process has put rows and their entries, and before it acknowledges them. */
  void afterEntered() {
    lookForBuckets();
  }

  private void lookForBuckets() {
    if (schema.saltWidth() > 0 && isTimeToLook()) {
      long now = clock.millis();
      IndexState state = read(table.state());
      if (state != null && state.buckets() != 0 && state.buckets() != buckets()) {
        forgetBuckets();
      }
      lookedAt = now;
    }
  }

  private boolean isTimeToLook() {
    long now = clock.millis();
    long before = lookedAt;
    return !shared
        || before == Long.MIN_VALUE
        || now < before
        || now - before >= LOOK_SECONDS * 1000L;
  }

  /** Marks the index incomplete, which also voids a rebuild in progress. */
  void invalidate() {
    while (true) {
      byte[] stored = table.state();
      IndexState state = stored == null ? null : IndexState.read(stored);
      if (state != null && state.status() == Status.INCOMPLETE) {
        return;
      }
      IndexState update = state == null ? IndexState.of(schema, newNumber()) : state.incomplete();
      if (table.changeState(stored, update)) {
        return;
      }
    }
  }

  /** Called before a row is put into a bucket that is not its own. */
  void forgetBuckets() {
    while (true) {
      byte[] stored = table.state();
      IndexState state = stored == null ? null : IndexState.read(stored);
      if (state == null || state.buckets() == 0 || changeTo(stored, state.withBuckets(0))) {
        return;
      }
    }
  }

  /**
   * Begins a rebuild. Families that are complete stay complete.
   *
   * @return the time until which it must wait, in milliseconds since the epoch
   */
  long beginRun(long run) {
    while (true) {
      byte[] stored = table.state();
      IndexState state = stored == null ? null : IndexState.read(stored);
      IndexState now = state == null ? IndexState.of(schema, newNumber()) : state;
      int after = now.coversMoreThan(rows) ? now.buckets() : buckets();
      // A run that has begun may not have waited.
      boolean renews = !now.isComplete(rows) || now.buckets() != after || now.run() != 0;
      if (table.changeState(stored, now.rebuilding(run).withBuckets(after))) {
        return renews && shared ? clock.millis() + QUIET_SECONDS * 1000L : Long.MIN_VALUE;
      }
    }
  }

  /**
   * Ends a rebuild that has read all rows.
   *
   * @param inOwnBuckets whether all rows were in their own buckets
   * @return whether the index is complete now: no process has voided the run
   */
  boolean endRun(long run, boolean inOwnBuckets) {
    while (true) {
      byte[] stored = table.state();
      IndexState state = stored == null ? null : IndexState.read(stored);
      if (state == null || state.run() != run) {
        return false;
      }
      IndexState now = state.complete(rows).withoutRun();
      if (!isComplete(state)) {
        // A reader may have read a counter before the run and this state after it.
        now = now.ofGeneration(newNumber());
      }
      if (table.changeState(stored, inOwnBuckets ? now : now.withBuckets(0))) {
        return true;
      }
    }
  }

  /** The state of the index as text. Does not throw if the store fails. */
  String text() {
    try {
      byte[] stored = table.state();
      IndexState state = read(stored);
      if (stored == null) {
        return "empty";
      }
      if (state == null) {
        return "of another format or other UID widths";
      }
      return switch (state.status()) {
        case INCOMPLETE -> "incomplete";
        case REBUILDING -> "incomplete, being rebuilt";
        case COMPLETE ->
            isComplete(state) ? IndexStatus.COMPLETE : "complete, but not of all tables";
      };
    } catch (StoreException e) {
      return e.outcome() == Outcome.REJECTED ? "absent" : "unreadable: " + e.getMessage();
    }
  }

  static long newNumber() {
    long number = 0;
    while (number == 0) {
      number = RANDOM.nextLong();
    }
    return number;
  }
}
