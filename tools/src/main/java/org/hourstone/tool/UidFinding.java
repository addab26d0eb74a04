package org.hourstone.tool;

/**
 * An error in the UID table.
 *
 * @param problem its kind
 * @param text the details, on one line unless a name contains line breaks
 * @param repair the result of the repair
 * @param note the action, or the reason why there was none; empty if none was necessary
 */
public record UidFinding(UidProblem problem, String text, Repair repair, String note) {
  /** The result of the repair of a problem. */
  public enum Repair {
    /** No repair was necessary. */
    NONE,
    /** It is repaired. */
    DONE,
    /** It could not be repaired. */
    LEFT
  }

  /** The problem and its result. */
  @Override
  public String toString() {
    return switch (repair) {
      case NONE -> text;
      case DONE -> text + "; fixed: " + note;
      case LEFT -> text + "; left: " + note;
    };
  }
}
