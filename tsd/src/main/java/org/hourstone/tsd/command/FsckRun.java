package org.hourstone.tsd.command;

import org.hourstone.kv.Family;
import org.hourstone.kv.Row;
import org.hourstone.tool.FsckFinding;
import org.hourstone.tool.FsckListener;
import org.hourstone.tsd.session.Progress;
import org.hourstone.tsd.view.FsckPlaces;

/** Shows a run of {@code fsck}, and keeps its findings and the cells that it removes. */
final class FsckRun extends RunView implements FsckListener {
  private final FsckPlaces found;
  private final SavedCells saved;
  private final Runnable endIfStopped;

  /**
   * @param endIfStopped throws once the run is to end; called by several threads
   */
  FsckRun(
      Progress progress,
      CheckpointFile resume,
      FsckPlaces found,
      SavedCells saved,
      Runnable endIfStopped) {
    super(progress, "fsck", "checked", resume);
    this.found = found;
    this.saved = saved;
    this.endIfStopped = endIfStopped;
  }

  @Override
  public void nextRow() {
    super.nextRow();
    endIfStopped.run();
  }

  @Override
  public void found(FsckFinding finding) {
    found.add(finding);
  }

  @Override
  public void removing(Family family, Row cells) {
    saved.add(family, cells);
  }
}
