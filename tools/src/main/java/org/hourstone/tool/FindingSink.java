package org.hourstone.tool;

import org.hourstone.tool.UidFinding.Repair;
import org.jspecify.annotations.Nullable;

/** Receives findings, repairs them if requested, and counts findings and repairs. */
final class FindingSink {
  /** A repair. */
  interface Attempt {
    /** Makes the repair and returns its description; null if the cell has changed concurrently. */
    @Nullable String repair();
  }

  private final boolean repairs;
  private final UidFsckListener listener;
  private long found;
  private long repaired;
  private long lostRaces;
  private long removedLostRaces;

  FindingSink(boolean repairs, UidFsckListener listener) {
    this.repairs = repairs;
    this.listener = listener;
  }

  void found(UidProblem problem, String text, Attempt attempt) {
    if (!repairs) {
      unrepaired(problem, text, Repair.NONE, "");
      return;
    }
    String done = attempt.repair();
    if (done == null) {
      unrepaired(problem, text, Repair.LEFT, "another process has changed it in the meantime");
    } else {
      repaired(problem, text, done);
    }
  }

  void repaired(UidProblem problem, String text, String done) {
    if (problem == UidProblem.LOST_RACE) {
      lostRaces++;
      removedLostRaces++;
    } else {
      found++;
      repaired++;
    }
    listener.found(new UidFinding(problem, text, Repair.DONE, done));
  }

  void unrepaired(UidProblem problem, String text, Repair repair, String why) {
    if (problem == UidProblem.LOST_RACE) {
      lostRaces++;
    } else {
      found++;
    }
    listener.found(new UidFinding(problem, text, repair, why));
  }

  long found() {
    return found;
  }

  long repaired() {
    return repaired;
  }

  /** The numbers of lost races, which do not count as found. */
  long lostRaces() {
    return lostRaces;
  }

  long removedLostRaces() {
    return removedLostRaces;
  }
}
