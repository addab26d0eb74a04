package org.hourstone.meta;

import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.hourstone.internal.Deadline;
import org.hourstone.internal.EngineThread;
import org.hourstone.kv.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * A thread that records the number of points of each series, so that writers of points need not
 * wait for it. Points of one series that arrive while others are recorded are added up, so a slow
 * store gets fewer and larger increments. If too many series are waiting, the caller waits. The
 * first {@link #add} starts the thread. If the thread dies, it accepts no more series, reports how
 * many it had, and then releases all waiting callers. Thread-safe; mutable state is guarded by
 * {@link #lock}.
 */
final class TrackingThread {
  private final Consumer<Map<Bytes, Long>> task;
  private final Death died;
  private final int capacity;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private Map<Bytes, Long> waiting = new LinkedHashMap<>();
  private @Nullable Thread thread;
  private boolean closed;

  /** The number of series being recorded. */
  private int recording;

  /** The number of rounds that have begun, and of those that have ended. */
  private long begun;

  private long ended;

  /** Receives the failure that ended the thread. */
  interface Death {
    /**
     * @param series the number of series the thread had; at most that number is not recorded
     */
    void died(Throwable cause, int series);
  }

  /**
   * @param task records series and their points; must not throw an exception
   * @param capacity the maximum number of waiting series, at least 1
   * @param died notified once, before the waiting callers are released
   */
  TrackingThread(Consumer<Map<Bytes, Long>> task, int capacity, Death died) {
    this.task = task;
    this.capacity = capacity;
    this.died = died;
  }

  /**
   * Adds the points of some series. Waits while too many series wait.
   *
   * @return whether they will be recorded; false if this is closed, the thread has died, or the
   *     calling thread is interrupted while it waits
   */
  boolean add(Map<Bytes, Long> series) {
    lock.lock();
    try {
      while (waiting.size() >= capacity && !closed) {
        changed.await();
      }
      if (closed) {
        return false;
      }
      if (thread == null) {
        Thread starting = new EngineThread(this::run, "hourstone-tracking");
        starting.start();
        thread = starting; // set only now: a thread that could not be started records nothing
      }
      series.forEach((tsuid, points) -> waiting.merge(tsuid, points, Long::sum));
      changed.signalAll();
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } finally {
      lock.unlock();
    }
  }

  /** Waits until all points added so far are recorded, or the thread has died. */
  void await() {
    lock.lock();
    try {
      long awaited = waiting.isEmpty() ? begun : begun + 1;
      while (ended < awaited) {
        changed.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Records all points added, and ends the thread, which is interrupted at the deadline. */
  void close(Deadline deadline, InstantSource clock) {
    Thread ending;
    lock.lock();
    try {
      closed = true;
      ending = thread;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    if (ending != null) {
      deadline.join(ending, clock);
    }
  }

  private void run() {
    try {
      for (Map<Bytes, Long> next = next(); next != null; next = next()) {
        task.accept(next);
        end(1);
      }
    } catch (RuntimeException | Error e) {
      died.died(e, abandon());
      throw e;
    } finally {
      end(Long.MAX_VALUE / 2);
    }
  }

  /**
   * Accepts no more series and drops the waiting ones; returns their number. Allocates no memory.
   */
  private int abandon() {
    lock.lock();
    try {
      closed = true;
      int series = recording + waiting.size();
      waiting.clear();
      return series;
    } finally {
      lock.unlock();
    }
  }

  /** Whether points are recorded, or will be: false once this is closed, or the thread has died. */
  boolean isOpen() {
    lock.lock();
    try {
      return !closed;
    } finally {
      lock.unlock();
    }
  }

  /** The next points to record; null if no more will arrive. */
  private @Nullable Map<Bytes, Long> next() {
    lock.lock();
    try {
      while (waiting.isEmpty() && !closed) {
        changed.awaitUninterruptibly();
      }
      if (waiting.isEmpty()) {
        return null;
      }
      Map<Bytes, Long> taken = waiting;
      recording = taken.size();
      waiting = new LinkedHashMap<>();
      begun++;
      changed.signalAll();
      return taken;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Sets the number of rounds that have ended; the maximum value means that the thread has ended.
   */
  private void end(long rounds) {
    lock.lock();
    try {
      ended += rounds;
      recording = 0;
      closed |= rounds > 1;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
