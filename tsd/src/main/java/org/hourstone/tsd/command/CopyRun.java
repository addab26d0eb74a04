package org.hourstone.tsd.command;

import org.hourstone.tool.CopyListener;
import org.hourstone.tsd.session.Progress;

/** Shows a copy, and counts the cells that differ. */
final class CopyRun extends RunView implements CopyListener {
  private long differences;
  private long notes;

  CopyRun(Progress progress, CheckpointFile resume) {
    super(progress, "copy", "copied", resume);
  }

  long differences() {
    return differences;
  }

  @Override
  public void differs(String what) {
    line(++differences, "differs: " + what);
  }

  @Override
  public void note(String what) {
    line(++notes, what);
  }
}
