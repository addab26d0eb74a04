package org.hourstone.testing.schedule;

import org.hourstone.kv.StoreException;
import org.jspecify.annotations.Nullable;

/**
 * Something an actor does by one or more calls, as whoever asked for it sees it: from when to when,
 * counted in steps of the schedule, and what came of it.
 */
final class Operation {
  private static final int NOT_YET = Integer.MAX_VALUE;

  final String name;
  final @Nullable SimulatedProcess process;

  /** How many steps were made before it. */
  int start = NOT_YET;

  /** How many steps were made when it ended, or its process died. */
  int end = NOT_YET;

  /** How many calls it made that change something. */
  int changes;

  /** Whether it has done what it was to do. */
  boolean acknowledged;

  /** Why not, unless its process has died. */
  @Nullable RuntimeException failure;

  Operation(String name, @Nullable SimulatedProcess process) {
    this.name = name;
    this.process = process;
  }

  /** What there was before all others. */
  static Operation initial() {
    Operation initial = new Operation("initial", null);
    initial.start = -2;
    initial.end = -1;
    initial.acknowledged = true;
    return initial;
  }

  /** It makes its first step. */
  void begin(int steps) {
    start = Math.min(start, steps);
  }

  boolean hasBegun() {
    return start != NOT_YET;
  }

  /** Whether it was over when another one began. */
  boolean isBefore(Operation other) {
    return this != other && end <= other.start;
  }

  /** Whether it was begun and came to no answer. */
  boolean wasBrokenOff() {
    return hasBegun() && !acknowledged && (failure == null || failure instanceof StoreException);
  }

  @Override
  public String toString() {
    String fate =
        acknowledged ? "acknowledged" : failure == null ? "not answered" : failure.toString();
    return name
        + (process == null ? "" : " by " + process.name + ", steps " + start + " to " + end)
        + ": "
        + fate;
  }
}
