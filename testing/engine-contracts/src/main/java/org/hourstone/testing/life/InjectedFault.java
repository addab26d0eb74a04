package org.hourstone.testing.life;

/** Faults of a database, injected between it and its store: a model test must find each. */
public enum InjectedFault {
  NONE,

  /** A row is not marked before points of it are deleted. */
  DELETION_WITHOUT_MARK,

  /** A row is not marked before a late point is put. */
  PUT_WITHOUT_MARK,

  /** A row is marked after its change was acknowledged. */
  LATE_MARK,

  /** Marks are lost with the process. */
  MARKS_LOST_IN_CRASH,

  /** A mark is removed although the row was marked again since it was read. */
  MARK_REMOVED_BLINDLY,

  /** Hours count as rolled up before their values are stored. */
  DONE_BEFORE_VALUES,

  /** Hours still count as rolled up when other intervals are. */
  DONE_WITH_OTHER_INTERVALS,

  /** Values stay of which there are no points any more. */
  VALUES_WITHOUT_POINTS,

  /** Points are deleted as expired that have changed since they were rolled up. */
  MARKS_UNSEEN_BY_RETENTION,

  /** With a row of rolled-up values the next one is deleted, which has not expired. */
  ONE_ROW_TOO_MANY_EXPIRES,

  /** With a row of points the next one is deleted, which has not expired. */
  ONE_HOUR_TOO_MANY_EXPIRES
}
