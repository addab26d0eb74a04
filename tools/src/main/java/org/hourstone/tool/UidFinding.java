package org.hourstone.tool;

/**
 * One thing that is wrong with the UID table.
 *
 * @param problem of what sort it is
 * @param text what and where, on one line unless a name has several
 * @param repair what became of it
 * @param note what was done, or why nothing was; empty where nothing was to be done
 */
public record UidFinding(UidProblem problem, String text, Repair repair, String note) {
  /** What became of a problem. */
  public enum Repair {
    /** Nothing was to be done about it. */
    NONE,
    /** It is repaired. */
    DONE,
    /** It could not be repaired. */
    LEFT
  }

  /** The problem and what became of it. */
  @Override
  public String toString() {
    return switch (repair) {
      case NONE -> text;
      case DONE -> text + "; fixed: " + note;
      case LEFT -> text + "; left: " + note;
    };
  }
}
