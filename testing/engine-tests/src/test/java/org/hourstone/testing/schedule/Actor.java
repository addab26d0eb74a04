package org.hourstone.testing.schedule;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A caller of the store, one call after the other: a thread of a process, with those that thread
 * waits for. Runs only while it has the turn.
 */
final class Actor {
  private static final ThreadLocal<Actor> OF_THREAD = new ThreadLocal<>();

  final String name;
  final SimulatedProcess process;
  private final Runnable script;

  /** The step it is about to make; null before its first and after its last. */
  volatile @Nullable Step pending;

  volatile boolean finished;

  /**
   * It had the turn and waits for another thread of its process; it can't be next until an
   * operation of that process has ended. Guarded by the schedule.
   */
  volatile boolean blocked;

  /** What it does; null before its first. */
  @Nullable Operation operation;

  /** It is at a step or at its end: what it waits for then is the schedule's business. */
  volatile boolean arrived;

  private volatile boolean hasTurn;
  private volatile @Nullable Thread thread;
  private volatile @Nullable Thread caller;

  Actor(String name, SimulatedProcess process, Runnable script) {
    this.name = name;
    this.process = process;
    this.script = script;
  }

  static Actor ofThread() {
    return OF_THREAD.get();
  }

  void run() {
    OF_THREAD.set(this);
    thread = Thread.currentThread();
    try {
      script.run();
    } finally {
      OF_THREAD.remove();
    }
  }

  /** Whether its thread waits for something other than the turn. */
  boolean isWaiting() {
    Thread its = thread;
    return its != null
        && !arrived
        && switch (its.getState()) {
          case BLOCKED, WAITING, TIMED_WAITING -> true;
          case NEW, RUNNABLE, TERMINATED -> false;
        };
  }

  /** Gives it the turn. */
  void resume() {
    hasTurn = true;
    LockSupport.unpark(caller);
  }

  /** Waits for the turn; on the thread that calls for it, which need not be its own. */
  void awaitTurn() {
    caller = Thread.currentThread();
    while (!hasTurn) {
      LockSupport.park(this);
    }
    caller = null;
    hasTurn = false;
  }
}
