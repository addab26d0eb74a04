package org.hourstone.tsd;

import org.hourstone.kv.Family;
import org.hourstone.kv.Row;
import org.hourstone.tool.FsckFinding;
import org.hourstone.tool.FsckListener;

/** Forwards the events of a run of {@code fsck}. */
record FsckRun(FsckPlaces found, SavedCells saved, Progress shown, ResumeFile resume)
    implements FsckListener {
  @Override
  public void found(FsckFinding finding) {
    found.add(finding);
  }

  @Override
  public void removing(Family family, Row cells) {
    saved.add(family, cells);
  }

  @Override
  public void progress(long rows, int done, int parts, byte[] next) {
    shown.parts(rows, done, parts, "checked");
    resume.write(next);
  }
}
