package org.hourstone.query;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Requests that take long take turns, so that however many there are, a short one finds a processor
 * and memory soon. At most {@code atOnce} requests have a turn. A request that has worked for
 * {@link #FREE}, or uses much memory, needs a turn to continue. It passes its turn on after {@link
 * #LENGTH} if others wait, or after {@link #FIRST} if one of them is new. Every other turn is given
 * to the request that has worked least, the rest to the one that has waited longest: a new request
 * does not wait for all others, and none waits forever. While memory is scarce, requests that have
 * had a turn continue, and new ones wait.
 *
 * <p>A turn is not a lock: one that is over is passed on even if its request does not check, since
 * it waits for the store; it then goes on without one until it checks. Thread-safe.
 */
final class Turns {
  /** How long a request works without a turn, in nanoseconds. */
  static final long FREE = TimeUnit.MILLISECONDS.toNanos(20);

  /** A request that checks later than that has been waiting, such as for a processor. */
  static final long GAP = TimeUnit.MILLISECONDS.toNanos(2);

  /** How long a turn lasts. Long, since a request that waits for its next one keeps its memory. */
  static final long LENGTH = TimeUnit.SECONDS.toNanos(1);

  /** How long one lasts while a request waits for its first. Short: that may need no other. */
  static final long FIRST = TimeUnit.MILLISECONDS.toNanos(50);

  /** For how long its request may wait for its client, such as for room for its response. */
  static final long REST = TimeUnit.MILLISECONDS.toNanos(20);

  /** How often a waiting request checks whether it has a turn. */
  private static final long POLL = TimeUnit.MILLISECONDS.toNanos(100);

  private static final long LEAST_POLL = TimeUnit.MILLISECONDS.toNanos(1);

  private final int atOnce;
  private final LongSupplier nanos;
  private final BooleanSupplier scarce;
  private final ReentrantLock lock = new ReentrantLock();

  // Guarded by the lock.
  private final List<Turn> holders = new ArrayList<>();
  private final ArrayDeque<Turn> waiting = new ArrayDeque<>();
  private long granted;

  /**
   * @param atOnce at least 1
   * @param nanos a monotonic clock
   * @param scarce whether little is left of the memory for all requests
   */
  Turns(int atOnce, LongSupplier nanos, BooleanSupplier scarce) {
    this.atOnce = atOnce;
    this.nanos = nanos;
    this.scarce = scarce;
  }

  /**
   * The turns of one request.
   *
   * @param onWait is called with true when it begins to wait for one, and with false when it goes
   *     on; must not wait
   */
  Turn request(Consumer<Boolean> onWait) {
    return new Turn(onWait);
  }

  /** Passes on turns that are over, and those that are free. */
  private void pass(long now) {
    long length = mayBegin() ? FIRST : LENGTH;
    Iterator<Turn> held = holders.iterator();
    while (held.hasNext()) {
      Turn turn = held.next();
      if (!waiting.isEmpty() && turn.isOver(now, length)) {
        held.remove();
        turn.lose(now);
      }
    }
    while (holders.size() < atOnce) {
      Optional<Turn> next = next();
      if (next.isEmpty()) {
        return;
      }
      waiting.remove(next.get());
      holders.add(next.get());
      next.get().get(now);
    }
  }

  /** Whether a new request waits for nothing but a turn. */
  private boolean mayBegin() {
    return waiting.stream().anyMatch(Turn::isNew) && !scarce.getAsBoolean();
  }

  private Optional<Turn> next() {
    if (scarce.getAsBoolean() && !(holders.isEmpty() && waiting.stream().allMatch(Turn::isNew))) {
      return waiting.stream().filter(turn -> !turn.isNew()).findFirst();
    }
    return granted++ % 2 == 0
        ? waiting.stream().min(Comparator.comparingLong(turn -> turn.worked))
        : waiting.stream().findFirst();
  }

  /** The turns of one request, which several threads may work for. */
  final class Turn {
    private final Condition mine = lock.newCondition();
    private final Consumer<Boolean> onWait;

    /** The number of its threads that wait. Guarded by the lock. */
    private int waiters;

    // Read and, by the request, written without the lock.
    private volatile boolean held;
    private volatile long since;
    private volatile boolean resting;
    private volatile long rested;

    /** How long it has worked without one, and when it checked last; not exact. */
    private long free;

    private long checked = nanos.getAsLong();

    /** How long it has held turns. Guarded by the lock. */
    private long worked;

    private Turn(Consumer<Boolean> onWait) {
      this.onWait = onWait;
    }

    /**
     * Returns when the request may go on: it has not worked for long, or holds a turn.
     *
     * @param muchMemory whether it holds much
     * @param check is called regularly while it waits; what it throws ends the wait
     * @throws QueryCancelledException if the thread is interrupted
     */
    void await(boolean muchMemory, Runnable check) {
      long now = nanos.getAsLong();
      resting = false;
      if ((isFree(now) && !muchMemory) || (held && now - since < LENGTH)) {
        return;
      }
      lock.lock();
      try {
        pass(now);
        if (!held) {
          awaitTurn(now, check);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new QueryCancelledException("the thread that waited for the query was interrupted");
      } finally {
        lock.unlock();
      }
    }

    private void awaitTurn(long now, Runnable check) throws InterruptedException {
      boolean waits = false;
      try {
        while (!held) {
          if (!waiting.contains(this)) {
            waiting.add(this);
            pass(now);
            continue;
          }
          if (!waits) {
            waits = true;
            begins();
          }
          if (mine.awaitNanos(patience(nanos.getAsLong())) <= 0) {
            check.run();
            pass(nanos.getAsLong());
          }
        }
      } finally {
        if (waits && --waiters == 0) {
          onWait.accept(false);
        }
      }
    }

    private void begins() {
      if (waiters++ == 0) {
        onWait.accept(true);
      }
    }

    /** How long to wait: the first of those that do looks when a turn is over. */
    private long patience(long now) {
      long least = POLL;
      if (waiting.peek() == this) {
        long length = mayBegin() ? FIRST : LENGTH;
        for (Turn holder : holders) {
          least = Math.min(least, holder.since + length - now);
        }
      }
      return Math.max(least, LEAST_POLL);
    }

    /** The request waits for something else than its turn, until {@link #await}. */
    void rest() {
      rested = nanos.getAsLong();
      resting = true;
    }

    /** The request has ended. */
    void end() {
      lock.lock();
      try {
        waiting.remove(this);
        if (holders.remove(this)) {
          held = false;
          pass(nanos.getAsLong());
        }
      } finally {
        lock.unlock();
      }
    }

    private boolean isFree(long now) {
      if (free < FREE) {
        free = free + Math.min(now - checked, GAP);
        checked = now;
      }
      return free < FREE;
    }

    private boolean isOver(long now, long length) {
      return now - since >= length || (resting && now - rested >= REST);
    }

    private boolean isNew() {
      return worked == 0;
    }

    private void get(long now) {
      since = now;
      held = true;
      mine.signalAll();
    }

    private void lose(long now) {
      worked += now - since;
      held = false;
    }
  }
}
