package org.hourstone.testing.schedule;

/**
 * What becomes of one call. A crash before a call needs no fate of its own: it is the crash after
 * the actor's last change before it, or an actor that never begins.
 */
enum Fate {
  /** It is applied and acknowledged. */
  DONE,
  /** It fails and nothing is changed. */
  NOT_APPLIED,
  /** It fails with an unknown outcome, and is applied. */
  UNKNOWN_APPLIED,
  /** It fails with an unknown outcome, and is not applied. */
  UNKNOWN_NOT_APPLIED,
  /** It is applied, and its process dies before it learns of it. */
  CRASH_AFTER;

  boolean isApplied() {
    return this == DONE || this == UNKNOWN_APPLIED || this == CRASH_AFTER;
  }
}
