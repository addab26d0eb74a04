package org.hourstone.testing.schedule;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One course of events: actors that call one store, exactly one of which runs at a time. Before
 * every call it is chosen whose call is next and what becomes of it.
 *
 * <p>Of courses that differ only in the order of steps which do not affect each other one is
 * played, by sleep sets: an actor whose next step was tried first at some point is not tried there
 * after another one until a step comes that affects it. An actor that goes on keeps the thread, so
 * threads change only where the course does.
 */
final class Schedule {
  /** The process has died. */
  static final class Crash extends Error {
    private static final long serialVersionUID = 1L;

    Crash() {
      super("the process has crashed", null, false, false);
    }
  }

  /** The rest of this course is not needed. */
  static final class Abandoned extends Error {
    private static final long serialVersionUID = 1L;

    Abandoned() {
      super("the schedule is abandoned", null, false, false);
    }
  }

  private static final ExecutorService THREADS =
      Executors.newCachedThreadPool(
          task -> {
            Thread thread = new Thread(task, "actor");
            thread.setDaemon(true);
            return thread;
          });
  private static final long HANGS_AFTER_NANOS = 20_000_000_000L;

  /** An actor that waits for another thread is seen to twice in a row. */
  private static final long BLOCKS_AFTER_NANOS = 300_000;

  private static final long SETTLES_WITHIN_NANOS = 50_000_000;

  private final Choices choices;
  private final int depth;
  private List<Actor> actors = List.of();
  private final List<Step> trace = new ArrayList<>();
  private List<Step> asleep = new ArrayList<>();
  private int faultsLeft;
  private volatile boolean starting;
  private boolean cut;
  private boolean redundant;
  private @Nullable Throwable failure;
  private volatile boolean over;
  private volatile boolean abandoned;
  private final AtomicInteger running = new AtomicInteger();
  private boolean mayBlock;

  /** Who runs. Guarded by this. */
  private @Nullable Actor turn;

  /** How many times the turn was passed or kept. Guarded by this. */
  private int passes;

  private volatile @Nullable Thread controller;

  /**
   * @param depth how many steps there is a choice at; from then on each actor runs to its end
   * @param faults how many calls fail at most
   */
  Schedule(Choices choices, int depth, int faults) {
    this.choices = choices;
    this.depth = depth;
    this.faultsLeft = faults;
  }

  /** Plays it. */
  void play(List<Actor> of) {
    actors = of;
    controller = Thread.currentThread();
    mayBlock = actors.stream().anyMatch(actor -> actor.process.shared);
    starting = true;
    for (Actor actor : actors) {
      running.set(1);
      turn = actor;
      THREADS.execute(() -> run(actor));
      await();
    }
    starting = false;
    running.set((int) actors.stream().filter(actor -> !actor.finished).count());
    if (running.get() > 0) {
      pass(choose(null));
    }
    await();
    over = true;
    controller = null;
    if (failure instanceof RuntimeException e) {
      throw e;
    } else if (failure instanceof Error e) {
      throw e;
    }
  }

  /** Waits until all actors have ended, or at the beginning one is at its first call. */
  private void await() {
    long deadline = System.nanoTime() + HANGS_AFTER_NANOS;
    int seen = -1;
    while (running.get() > 0) {
      LockSupport.parkNanos(this, mayBlock ? BLOCKS_AFTER_NANOS : HANGS_AFTER_NANOS);
      if (running.get() > 0 && System.nanoTime() > deadline) {
        throw new AssertionError("hangs: " + stacks());
      }
      seen = mayBlock ? passIfBlocked(seen) : seen;
    }
  }

  /**
   * Takes the turn from an actor that waits for another thread.
   *
   * @param seen how many times the turn had been passed when it was seen to wait before
   * @return how many times it has been, if it waits now
   */
  private synchronized int passIfBlocked(int seen) {
    Actor actor = turn;
    if (!starting && actor == null) {
      resumeSettled();
    }
    if (starting || actor == null || actor.finished || !actor.isWaiting()) {
      return -1;
    }
    if (seen == passes) {
      actor.blocked = true;
      pass(choose(null));
    }
    return passes;
  }

  /** If every actor waited when the last turn ended, one that has reached its next call resumes. */
  private void resumeSettled() {
    boolean any = false;
    for (Actor actor : actors) {
      if (actor.pending != null && !actor.finished) {
        actor.blocked = false;
        any = true;
      }
    }
    if (any) {
      pass(choose(null));
    }
  }

  /**
   * An operation has ended: what waited for it goes on, and comes to its next call or its end,
   * before anything else happens.
   */
  void settle(Actor ended) {
    ended.arrived = true; // it waits for the others here, and keeps the turn
    for (Actor actor : ended.process.actors) {
      if (!actor.blocked || actor == ended) {
        continue;
      }
      long deadline = System.nanoTime() + SETTLES_WITHIN_NANOS;
      while (actor.pending == null && !actor.finished && System.nanoTime() < deadline) {
        LockSupport.parkNanos(10_000);
      }
      synchronized (this) {
        actor.blocked = actor.pending == null && !actor.finished;
      }
    }
    ended.arrived = false;
  }

  private static String stacks() {
    return Thread.getAllStackTraces().entrySet().stream()
        .filter(each -> !each.getKey().isDaemon() || each.getKey().getName().equals("actor"))
        .map(each -> each.getKey() + "\n    " + List.of(each.getValue()))
        .collect(Collectors.joining("\n  "));
  }

  private void run(Actor actor) {
    try {
      actor.run();
    } catch (Crash | Abandoned e) {
      // It ends here.
    } catch (Throwable e) {
      fail(e);
    }
    if (actor.process.shared) {
      settle(actor);
    }
    actor.arrived = true;
    synchronized (this) {
      actor.finished = true;
      actor.pending = null;
      if (turn == actor && !starting) {
        pass(choose(null));
      }
    }
    one();
  }

  /** Gives an actor the turn. */
  private void pass(@Nullable Actor next) {
    turn = next;
    passes++;
    if (next != null) {
      next.resume();
    }
  }

  /** Tells the controller that an actor has come to its first call, or to its end. */
  private void one() {
    Thread waiting = controller;
    if (running.decrementAndGet() == 0) {
      LockSupport.unpark(waiting);
    }
  }

  /** Ends the course: something is wrong. */
  void fail(Throwable reason) {
    if (failure == null) {
      failure = reason;
    }
    abandoned = true;
  }

  /** Whether all of it has been played; calls then go to the store as they are. */
  boolean isOver() {
    return over;
  }

  /** Whether it was given up, since it differs from another one in nothing that matters. */
  boolean isRedundant() {
    return redundant;
  }

  /** Whether choices were left out, since it is longer than the depth. */
  boolean isCut() {
    return cut;
  }

  /** How many steps were made. */
  int now() {
    return trace.size();
  }

  List<Step> trace() {
    return trace;
  }

  /** Waits for the turn to make a step; says what becomes of it. */
  Fate enter(Step step) {
    Actor actor = step.actor;
    check(actor);
    boolean goesOn = false;
    actor.arrived = true;
    synchronized (this) {
      actor.pending = step;
      if (!starting && turn == actor) {
        Actor next = choose(actor);
        goesOn = next == actor;
        passes++;
        if (!goesOn) {
          pass(next);
        }
      }
    }
    if (!goesOn) {
      if (starting) {
        one();
      }
      actor.awaitTurn();
    }
    check(actor);
    actor.pending = null;
    actor.arrived = false;
    trace.add(step);
    step.fate = fate(step);
    return step.fate;
  }

  /** Ends an actor whose process is dead, or whose schedule is given up. */
  void check(Actor actor) {
    if (abandoned) {
      throw new Abandoned();
    }
    if (actor.process.crashed) {
      throw new Crash();
    }
  }

  /** Whose step is next, or who is to end next; null if all have ended. */
  private @Nullable Actor choose(@Nullable Actor current) {
    List<Actor> ready = new ArrayList<>(actors.size());
    if (current != null) {
      ready.add(current);
    }
    for (Actor actor : actors) {
      if (actor != current && !actor.finished && !actor.blocked) {
        ready.add(actor);
      }
    }
    if (ready.isEmpty()) {
      return null;
    }
    for (Actor actor : ready) {
      if (abandoned || actor.process.crashed) {
        return actor; // to end
      }
    }
    Actor any = ready.get(0);
    ready.removeIf(actor -> asleep.contains(actor.pending));
    if (ready.isEmpty()) {
      redundant = true;
      abandoned = true;
      return any;
    }
    boolean deep = trace.size() >= depth;
    cut |= deep && ready.size() > 1;
    int chosen = deep ? 0 : choices.next(ready.size());
    Actor next = ready.get(chosen);
    for (int i = 0; i < chosen; i++) {
      asleep.add(Objects.requireNonNull(ready.get(i).pending));
    }
    Step step = Objects.requireNonNull(next.pending);
    asleep.removeIf(other -> !other.isIndependentOf(step));
    return next;
  }

  private Fate fate(Step step) {
    if (faultsLeft == 0 || step.kind == Step.Kind.REPLY || trace.size() > depth) {
      cut |= faultsLeft > 0 && step.kind != Step.Kind.REPLY;
      return Fate.DONE;
    }
    Fate[] fates = Fate.values();
    Fate fate = fates[choices.next(step.kind == Step.Kind.READ ? 2 : fates.length)];
    if (fate != Fate.DONE) {
      faultsLeft--;
    }
    return fate;
  }
}
