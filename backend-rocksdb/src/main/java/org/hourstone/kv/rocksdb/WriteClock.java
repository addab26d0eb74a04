package org.hourstone.kv.rocksdb;

import java.time.InstantSource;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongConsumer;
import org.hourstone.kv.Change;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;

/**
 * Assigns write times: the clock's time, but always later than all times, assigned or given, that
 * cells of the row already have.
 *
 * <p>Rows share slots by hash. A slot has the latest time of its rows, so that no row has to be
 * read: {@code time = max(now, latest + 1)}. A slot used more than a thousand times a second runs
 * ahead of the clock until its use declines. A given time also raises the slot, but not beyond the
 * clock's time, so that restoring cells dated in the future does not make their row run ahead.
 *
 * <p>The guarantee holds across processes, even if the system's clock changes: a mark in the store
 * is never less than any slot. Whenever a slot would exceed the mark, the mark is moved ahead by
 * {@link #AHEAD} before that time is used; a clean close moves it back to the greatest slot. The
 * next process begins after the mark, which is at most {@link #AHEAD} too late after a crash.
 */
final class WriteClock {
  /**
   * How far the mark is moved ahead, in milliseconds: it costs one small write to the store per
   * second.
   */
  static final long AHEAD = 1000;

  private static final int SLOTS = 4096;

  private final InstantSource clock;
  private final LongConsumer mark;
  private final AtomicLongArray latest = new AtomicLongArray(SLOTS);
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
      latest.setPlain(i, start);
    }
  }

  /**
   * Assigns the write time of a change of this row; must be called once per change.
   *
   * @throws StoreException NOT_APPLIED if the mark can't be stored or the clock exceeds the maximum
   *     time of a cell
   */
  long next(byte[] row) {
    long time =
        latest.accumulateAndGet(
            slot(row), carried(clock.millis()), (before, now) -> Math.max(now, before + 1));
    return covered(carried(time));
  }

  /**
   * The time that {@link #next} would assign, without assigning it. If a cell is dated with this
   * time or an earlier one, {@link #raise} must be called with the cell's time before it is
   * written, and no other thread may write the row in between.
   *
   * @throws StoreException NOT_APPLIED if the clock exceeds the maximum time of a cell
   */
  long upcoming(byte[] row) {
    return carried(Math.max(clock.millis(), latest.get(slot(row)) + 1));
  }

  /**
   * Ensures that all times assigned to the row from now on are later than this one.
   *
   * @throws StoreException NOT_APPLIED if the mark can't be stored
   */
  void raise(byte[] row, long time) {
    covered(latest.accumulateAndGet(slot(row), time, Math::max));
  }

  /**
   * The time of a cell with a given time: the given time or, if that is in the future, the later of
   * the clock's time and the row's latest. Raises the slot to it.
   *
   * @throws StoreException NOT_APPLIED if the mark can't be stored
   */
  long given(byte[] row, long time) {
    long bound = latest.accumulateAndGet(slot(row), Math.min(time, clock.millis()), Math::max);
    return Math.min(time, covered(bound));
  }

  /** Moves the mark back to the greatest slot; no time may be assigned afterwards. */
  synchronized void close() {
    if (marked == start) {
      return;
    }
    long greatest = start;
    for (int i = 0; i < SLOTS; i++) {
      greatest = Math.max(greatest, latest.get(i));
    }
    mark.accept(greatest);
  }

  private static int slot(byte[] row) {
    int hash = Arrays.hashCode(row);
    return (hash ^ (hash >>> 16)) & (SLOTS - 1);
  }

  private static long carried(long time) {
    if (time > Change.MAX_WRITE_TIME) {
      throw new StoreException(
          Outcome.NOT_APPLIED, "the clock says " + time + " ms, more than a cell can carry");
    }
    return time;
  }

  /** Returns the time after ensuring that the mark is not less. */
  private long covered(long time) {
    if (time > marked) {
      moveMark(time);
    }
    return time;
  }

  private synchronized void moveMark(long time) {
    if (time > marked) {
      mark.accept(time + AHEAD);
      marked = time + AHEAD;
    }
  }
}
