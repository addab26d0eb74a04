package org.hourstone.server;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.hourstone.internal.OutOfMemoryReport;
import org.jspecify.annotations.Nullable;

/**
 * A bounded pool of threads with a bounded queue. A task gets the thread that became idle last, and
 * a new thread only if none is idle, so the number of threads is that of concurrent tasks, and
 * their data stay in the processor's caches. A thread that is idle for long ends. Some tasks have
 * their turn after others; every fourth thread that becomes free takes one of them.
 *
 * <p>A task that {@linkplain #rest rests} until others have worked keeps its thread, but not its
 * place: more threads take tasks, up to {@value #RESTING} times as many. Thread-safe.
 */
final class ThreadStack implements Executor {
  private static final int EVERY = 4;

  /** How many tasks may rest for each thread of the pool; those beyond keep their places. */
  private static final int RESTING = 3;

  private final int mostThreads;
  private final int mostWaiting;
  private final long idleNanos;
  private final ThreadFactory factory;
  private final Queue<Runnable> waiting = new ArrayDeque<>();
  private final Queue<Runnable> later = new ArrayDeque<>();
  private final Set<Worker> workers = new HashSet<>();

  /** The last one that became idle is the first. While there are some, no task waits. */
  private final Deque<Worker> idle = new ArrayDeque<>();

  private boolean stopped;

  /** The number of tasks that were taken from those that waited. */
  private int turns;

  /** The number of tasks that rest. */
  private int resting;

  /**
   * @param idleNanos after which an idle thread ends
   */
  ThreadStack(int mostThreads, int mostWaiting, long idleNanos, ThreadFactory factory) {
    this.mostThreads = mostThreads;
    this.mostWaiting = mostWaiting;
    this.idleNanos = idleNanos;
    this.factory = factory;
  }

  /**
   * @throws RejectedExecutionException if too many tasks wait, or this has been stopped
   * @throws OutOfMemoryError if the system has no thread for it
   */
  @Override
  public void execute(Runnable task) {
    execute(task, waiting);
  }

  /** As {@link #execute}, after the tasks that wait; these are never too many. */
  void executeLater(Runnable task) {
    execute(task, later);
  }

  private void execute(Runnable task, Queue<Runnable> queue) {
    Worker last;
    synchronized (this) {
      last = stopped ? null : idle.poll();
      if (last == null) {
        startOrWait(task, queue);
        return;
      }
      last.next = task;
    }
    LockSupport.unpark(last.thread);
  }

  private void startOrWait(Runnable task, Queue<Runnable> queue) {
    boolean isOccupied = workers.size() >= most();
    boolean isFull = queue == waiting && waiting.size() == mostWaiting;
    if (stopped || (isOccupied && isFull)) {
      throw new RejectedExecutionException();
    }
    if (isOccupied) {
      queue.add(task);
      return;
    }
    Worker started = new Worker(task);
    started.thread.start();
    workers.add(started);
  }

  /** How many threads there may be now. */
  private int most() {
    return mostThreads + Math.min(resting, RESTING * mostThreads);
  }

  /**
   * A task in progress waits until others have worked; {@link #resume} must follow. A task that
   * waits for a thread takes its place.
   */
  synchronized void rest() {
    resting++;
    if (!stopped && waiting() > 0 && workers.size() < most()) {
      Worker started = new Worker(null);
      try {
        started.thread.start();
      } catch (OutOfMemoryError none) {
        OutOfMemoryReport.reportUnlessOfThread(none);
        return; // the system has no thread for it: it waits on
      }
      workers.add(started);
      started.next = nextWaiting();
      LockSupport.unpark(started.thread);
    }
  }

  /** The task works again, and ends beside those that have taken its place. */
  synchronized void resume() {
    resting--;
  }

  /** How many tasks wait for a thread. */
  synchronized int waiting() {
    return waiting.size() + later.size();
  }

  private @Nullable Runnable nextWaiting() {
    turns++;
    boolean isTurnOfLater = turns % EVERY == 0 || waiting.isEmpty();
    Runnable task = isTurnOfLater ? later.poll() : null;
    return task == null ? waiting.poll() : task;
  }

  /** Interrupts the tasks in progress, and drops those that wait. */
  synchronized void stop() {
    stopped = true;
    waiting.clear();
    later.clear();
    workers.forEach(worker -> worker.thread.interrupt());
  }

  /**
   * Waits until all threads have ended.
   *
   * @return whether they have
   */
  synchronized boolean awaitEnd(long nanos) throws InterruptedException {
    long deadline = System.nanoTime() + nanos;
    for (long left = nanos; left > 0 && !workers.isEmpty(); left = deadline - System.nanoTime()) {
      TimeUnit.NANOSECONDS.timedWait(this, left);
    }
    return workers.isEmpty();
  }

  private final class Worker implements Runnable {
    private final Thread thread = factory.newThread(this);

    /** Null while one runs, and while it is idle. */
    private volatile @Nullable Runnable next;

    Worker(@Nullable Runnable first) {
      next = first;
    }

    @Override
    public void run() {
      for (Runnable task = awaitNext(); task != null; task = awaitNext()) {
        next = null;
        try {
          task.run();
        } catch (Throwable e) { // also a checked one: stores may be in languages without them
          report(e);
        }
        if (!takesNext()) {
          return;
        }
      }
    }

    /** A failure of the handler is ignored, as by Java: this thread goes on. */
    private void report(Throwable failure) {
      try {
        thread.getUncaughtExceptionHandler().uncaughtException(thread, failure);
      } catch (Throwable again) {
        // The handler has reported what it could.
      }
    }

    /** Takes a task that waits, or becomes idle; returns false if there are too many threads. */
    private boolean takesNext() {
      synchronized (ThreadStack.this) {
        if (workers.size() > most()) {
          workers.remove(this);
          ThreadStack.this.notifyAll();
          return false;
        }
        next = nextWaiting();
        if (next == null) {
          idle.push(this);
        }
        if (!stopped) {
          Thread.interrupted(); // that was for the task
        }
        return true;
      }
    }

    /** The next task; null if there was none for long, or this has been stopped. */
    private @Nullable Runnable awaitNext() {
      long begun = System.nanoTime();
      while (next == null) {
        long left = idleNanos - (System.nanoTime() - begun);
        if (hasEnded(left <= 0)) {
          return null;
        }
        LockSupport.parkNanos(ThreadStack.this, left);
      }
      return next;
    }

    private boolean hasEnded(boolean late) {
      synchronized (ThreadStack.this) {
        if (next != null || !(late || stopped)) {
          return false;
        }
        idle.remove(this);
        workers.remove(this);
        ThreadStack.this.notifyAll();
        return true;
      }
    }
  }
}
