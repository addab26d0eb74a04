package org.hourstone.tool;

/** What can be wrong with the UID table. See {@code docs/format/uid.md#fsck}. */
public enum UidProblem {
  /** Hardly any UID is as wide as the settings say: they are wrong, and nothing is repaired. */
  WIDTHS_DIFFER,
  /** A UID that is not as wide as those of its kind. */
  WRONG_WIDTH,
  /** A name leads to a UID that leads to no name. */
  NO_REVERSE,
  /** A name leads to a UID that leads to another name, which does not lead back. */
  WRONG_REVERSE,
  /** Several names lead to one UID. */
  SHARED_UID,
  /** A UID leads to a name that has no UID. */
  NO_FORWARD,
  /** A UID leads to a name that has another UID: mostly the number of a lost race. */
  SECOND_UID,
  /** A UID leads to a name no name can be. */
  BAD_NAME,
  /** A counter that is not 8 bytes long. */
  COUNTER_MALFORMED,
  /** A counter that will hand out numbers that are taken. */
  COUNTER_BEHIND,
  /** A column that is none of OpenTSDB's. */
  UNKNOWN_COLUMN
}
