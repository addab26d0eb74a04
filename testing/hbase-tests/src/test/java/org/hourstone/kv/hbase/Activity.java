package org.hourstone.kv.hbase;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * Something that is done again and again, in a thread of its own, until it is ended. A {@link
 * StoreException} that says that it may help to try again is counted; anything else that is thrown
 * is a failure of the test, and told by whoever waits for the activity.
 */
final class Activity {
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(Load.PATIENCE_SECONDS);

  /** One time of it. */
  interface Step {
    void run(int time) throws Exception;
  }

  private final String name;
  private final int paceMillis;
  private final Step step;
  private final Thread thread;
  private int done;
  private int failed;
  private boolean over;
  private @Nullable StoreException lastFailure;
  private @Nullable Throwable broken;

  private Activity(String name, int paceMillis, Step step) {
    this.name = name;
    this.paceMillis = paceMillis;
    this.step = step;
    this.thread = new Thread(this::run, name);
    this.thread.setDaemon(true);
  }

  /**
   * @param paceMillis from one time to the next, which bounds the load
   */
  static Activity start(String name, int paceMillis, Step step) {
    Activity activity = new Activity(name, paceMillis, step);
    activity.thread.start();
    return activity;
  }

  private void run() {
    try {
      for (int time = 0; !isOver(); time++) {
        attempt(time);
      }
    } catch (Throwable e) {
      breakOff(e);
    }
  }

  private void attempt(int time) throws Exception {
    try {
      step.run(time);
      count(null);
    } catch (StoreException e) {
      if (e.outcome() == Outcome.REJECTED) {
        throw e;
      }
      count(e);
    }
  }

  /** Lets time pass as the pace demands, unless it is over. */
  private synchronized boolean isOver() throws InterruptedException {
    long next = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(paceMillis);
    long left = paceMillis;
    while (!over && left > 0) {
      wait(left);
      left = TimeUnit.NANOSECONDS.toMillis(next - System.nanoTime());
    }
    return over;
  }

  private synchronized void count(@Nullable StoreException failure) {
    if (failure == null) {
      done++;
    } else {
      failed++;
      lastFailure = failure;
    }
    notifyAll();
  }

  private synchronized void breakOff(Throwable reason) {
    broken = reason;
    notifyAll();
  }

  /** Waits until it was done N times more. */
  synchronized void awaitDone(int more) throws Exception {
    int enough = done + more;
    await(() -> done >= enough);
  }

  /** Waits until it has failed. */
  synchronized void awaitFailed() throws Exception {
    await(() -> failed > 0);
  }

  /** Ends it after the current step. */
  void end() throws Exception {
    synchronized (this) {
      over = true;
    }
    thread.join(TimeUnit.NANOSECONDS.toMillis(PATIENCE_NANOS));
    if (thread.isAlive()) {
      throw hanging();
    }
    synchronized (this) {
      throwIfBroken();
    }
  }

  synchronized int failed() {
    return failed;
  }

  @Override
  public synchronized String toString() {
    return name + ": done " + done + ", failed " + failed + ", last " + lastFailure;
  }

  private interface Condition {
    boolean holds();
  }

  private synchronized void await(Condition condition) throws Exception {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while (!condition.holds()) {
      throwIfBroken();
      long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
      if (left <= 0) {
        throw hanging();
      }
      wait(left);
    }
  }

  private TimeoutException hanging() {
    TimeoutException hanging = new TimeoutException(this + ": hangs");
    hanging.setStackTrace(thread.getStackTrace());
    return hanging;
  }

  private synchronized void throwIfBroken() {
    if (broken != null) {
      throw new AssertionError(this + ": " + broken, broken);
    }
  }
}
