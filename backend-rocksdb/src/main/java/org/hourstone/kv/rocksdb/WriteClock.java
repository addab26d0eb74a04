package org.hourstone.kv.rocksdb;

import java.time.InstantSource;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongConsumer;
import org.hourstone.kv.Change;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;

/**
 * Assigns write times: the clock's, except that no row ever gets the same or a smaller time than
 * one it was given before.
 *
 * <p>Rows share slots by hash, each holding the last time it gave, so that no row has to be read:
 * {@code time = max(now, last + 1)}. A slot that is asked more than a thousand times a second runs
 * ahead of the clock until it is left alone.
 *
 * <p>The promise outlives the process, whatever the system's clock does meanwhile: a mark in the
 * store is never less than any time assigned. It is moved ahead by {@link #AHEAD} whenever a time
 * would pass it, before that time is used; a clean close moves it back to the last time assigned.
 * The next process begins after the mark, that is at most {@link #AHEAD} late after a crash.
 */
final class WriteClock {
  /** How far the mark is moved ahead, in milliseconds: one small write to the store a second. */
  static final long AHEAD = 1000;

  private static final int SLOTS = 4096;

  private final InstantSource clock;
  private final LongConsumer mark;
  private final AtomicLongArray last = new AtomicLongArray(SLOTS);
  private final long start;
  private volatile long marked;

  /**
   * @param start the stored mark: all times will be greater
   * @param mark stores the mark
   */
  WriteClock(InstantSource clock, long start, LongConsumer mark) {
    this.clock = clock;
    this.mark = mark;
    this.start = start;
    this.marked = start;
    for (int i = 0; i < SLOTS; i++) {
      last.setPlain(i, start);
    }
  }

  /**
   * The write time of a change of this row, to be called once per change.
   *
   * @throws StoreException NOT_APPLIED if the mark can't be stored or the clock is beyond what a
   *     cell can carry
   */
  long next(byte[] row) {
    long now = clock.millis();
    int hash = Arrays.hashCode(row);
    int slot = (hash ^ (hash >>> 16)) & (SLOTS - 1);
    long time = last.accumulateAndGet(slot, now, (given, clock) -> Math.max(clock, given + 1));
    if (time > Change.MAX_WRITE_TIME) {
      throw new StoreException(
          Outcome.NOT_APPLIED, "the clock says " + time + " ms, more than a cell can carry");
    }
    if (time > marked) {
      moveMark(time);
    }
    return time;
  }

  /** Moves the mark back to the greatest time assigned; none is assigned after that. */
  synchronized void close() {
    if (marked == start) {
      return;
    }
    long greatest = start;
    for (int i = 0; i < SLOTS; i++) {
      greatest = Math.max(greatest, last.get(i));
    }
    mark.accept(greatest);
  }

  private synchronized void moveMark(long time) {
    if (time > marked) {
      mark.accept(time + AHEAD);
      marked = time + AHEAD;
    }
  }
}
