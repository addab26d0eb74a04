package org.hourstone.tool;

/** The errors the UID table can have. See {@code docs/format/uid.md#fsck}. */
public enum UidProblem {
  /**
   * Hardly any UID has the width of the settings: the settings are wrong, and nothing is repaired.
   */
  WIDTHS_DIFFER,
  /** A UID that does not have the width of its kind. */
  WRONG_WIDTH,
  /** A name leads to a UID that leads to no name. */
  NO_REVERSE,
  /** A name leads to a UID that leads to another name, which does not lead back. */
  WRONG_REVERSE,
  /** Several names lead to one UID. */
  SHARED_UID,
  /** A UID leads to a name that has no UID. */
  NO_FORWARD,
  /** A UID leads to a name that has another UID; rows may use it. */
  SECOND_UID,
  /**
   * A UID leads to a name that got another UID at the same time or before: the number of a process
   * that was not the first to give the name its UID. It never was the name's, so this is no error.
   */
  LOST_RACE,
  /** A UID leads to an invalid name. */
  BAD_NAME,
  /** A counter that is not 8 bytes long. */
  COUNTER_MALFORMED,
  /** A counter whose next numbers are already assigned. */
  COUNTER_BEHIND,
  /** A column that is not one of OpenTSDB's. */
  UNKNOWN_COLUMN
}
