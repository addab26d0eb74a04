package org.hourstone.tsd;

import org.hourstone.kv.Family;
import org.hourstone.kv.Row;
import org.hourstone.tool.CheckpointException;
import org.hourstone.tool.FsckCheckpoint;
import org.hourstone.tool.FsckFinding;
import org.hourstone.tool.FsckListener;
import org.jspecify.annotations.Nullable;

/** Forwards the events of a run of {@code fsck}; saves its checkpoints in a file. */
final class FsckRun implements FsckListener {
  /** Saving a checkpoint waits for the disk, so it is not done for each progress report. */
  private static final long ROWS_PER_CHECKPOINT = 100_000;

  private final FsckPlaces found;
  private final SavedCells saved;
  private final Progress shown;
  private final CheckpointFile resume;
  private final Runnable endIfStopped;
  private @Nullable FsckCheckpoint reached;
  private long rowsSaved;

  /**
   * @param from where the run begins
   * @param endIfStopped throws once the run is to end; called by several threads
   */
  FsckRun(
      FsckPlaces found,
      SavedCells saved,
      Progress shown,
      CheckpointFile resume,
      FsckCheckpoint from,
      Runnable endIfStopped) {
    this.found = found;
    this.saved = saved;
    this.shown = shown;
    this.resume = resume;
    this.rowsSaved = from.report().rows();
    this.endIfStopped = endIfStopped;
  }

  /** Where to continue. */
  static FsckCheckpoint start(CheckpointFile resume) {
    String text = resume.read();
    try {
      return text == null ? FsckCheckpoint.START : FsckCheckpoint.read(text);
    } catch (CheckpointException e) {
      throw resume.corrupt(String.valueOf(e.getMessage()), e);
    }
  }

  @Override
  public void nextRow() {
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

  @Override
  public void progress(long rows, int done, int parts, FsckCheckpoint checkpoint) {
    shown.parts(rows, done, parts, "checked");
    reached = checkpoint;
    if (rows - rowsSaved >= ROWS_PER_CHECKPOINT) {
      rowsSaved = rows;
      save();
    }
  }

  /** Saves the current position of the run. */
  void save() {
    if (reached != null) {
      resume.write(reached.text());
    }
  }
}
