package org.hourstone.testing.schedule;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.StoreException;
import org.jspecify.annotations.Nullable;

/**
 * A store, the processes that use it, and what must be true at every moment and afterwards. A new
 * one is made for every schedule. Its clock moves with the calls.
 */
abstract class World implements InstantSource {
  private final KeyValueStore store;
  private final long millisPerCall;
  private final List<Actor> actors = new ArrayList<>();
  private final List<Operation> operations = new ArrayList<>();
  private long millis;
  private @Nullable Schedule schedule;

  /**
   * @param start when it begins, in milliseconds since the epoch
   * @param millisPerCall how far the clock moves with every call
   */
  World(Personality personality, long start, long millisPerCall) {
    this.millis = start;
    this.millisPerCall = millisPerCall;
    this.store = personality.open(this);
  }

  /** The store itself, whose calls are not scheduled. */
  final KeyValueStore store() {
    return store;
  }

  /** A process's handle on the store. */
  final KeyValueStore storeOf(SimulatedProcess process) {
    return new ScheduledStore(this, process);
  }

  /** Adds an actor, which begins with the schedule. */
  final void actor(String name, SimulatedProcess process, Runnable script) {
    Actor actor = new Actor(name, process, script);
    process.actors.add(actor);
    actors.add(actor);
  }

  /** Whether it matters when calls on this family happen. */
  abstract boolean isScheduled(Family family);

  /** A call that changes something was made, or has failed; what it throws ends the schedule. */
  abstract void changed(Step step);

  /**
   * All actors have ended.
   *
   * @param choices how it is gone on from here
   */
  abstract void verify(Choices choices);

  final void play(Schedule played) {
    schedule = played;
    played.play(actors);
  }

  final Schedule schedule() {
    if (schedule == null) {
      throw new IllegalStateException("not begun");
    }
    return schedule;
  }

  final boolean isPlaying() {
    return schedule != null && !schedule.isOver();
  }

  /** What was done, in the order of its beginnings. */
  final List<Operation> operations() {
    return operations;
  }

  /** Has the current actor of a process do something. */
  final void perform(Operation operation, Runnable action) {
    SimulatedProcess process = Objects.requireNonNull(operation.process);
    Actor actor = process.current();
    operations.add(operation);
    actor.operation = operation;
    if (process.shared) {
      schedule().enter(Step.begins(actor, operation.name));
      operation.begin(schedule().now() - 1);
    }
    try {
      action.run();
      operation.acknowledged = true;
    } catch (StoreException e) {
      operation.failure = e;
    } catch (RuntimeException e) {
      schedule().check(actor);
      if (!isAnswer(e)) {
        throw e;
      }
      operation.failure = e;
    } finally {
      operation.end = schedule().now();
      operation.begin(operation.end);
      if (process.shared) {
        schedule().settle(actor);
      }
    }
  }

  /** Whether an exception is a proper answer to an operation that can't be done. */
  abstract boolean isAnswer(RuntimeException e);

  final void tick() {
    millis += millisPerCall;
  }

  final void advance(long by) {
    millis += by;
  }

  @Override
  public final long millis() {
    return millis;
  }

  @Override
  public final Instant instant() {
    return Instant.ofEpochMilli(millis);
  }
}
