package org.hourstone.tsd;

import java.util.HexFormat;
import org.hourstone.kv.Family;
import org.hourstone.kv.Row;
import org.hourstone.tool.FsckFinding;
import org.hourstone.tool.FsckListener;

/**
 * Forwards the events of a run of {@code fsck}; saves the row to continue with, in hex, in a file.
 */
final class FsckRun implements FsckListener {
  /** Saving a checkpoint waits for the disk, so it is not done for each progress report. */
  private static final long ROWS_PER_CHECKPOINT = 100_000;

  private final FsckPlaces found;
  private final SavedCells saved;
  private final Progress shown;
  private final CheckpointFile resume;
  private byte[] next = {};
  private long rowsSaved;

  FsckRun(FsckPlaces found, SavedCells saved, Progress shown, CheckpointFile resume) {
    this.found = found;
    this.saved = saved;
    this.shown = shown;
    this.resume = resume;
  }

  /** The row to continue with; empty for the first. */
  static byte[] start(CheckpointFile resume) {
    String row = resume.read();
    try {
      return row == null ? new byte[0] : HexFormat.of().parseHex(row);
    } catch (IllegalArgumentException e) {
      throw resume.corrupt("not a row in hex: " + row, e);
    }
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
  public void progress(long rows, int done, int parts, byte[] resumeAt) {
    shown.parts(rows, done, parts, "checked");
    next = resumeAt;
    if (rows - rowsSaved >= ROWS_PER_CHECKPOINT) {
      rowsSaved = rows;
      save();
    }
  }

  /** Saves the current position of the run. */
  void save() {
    if (next.length > 0) {
      resume.write(HexFormat.of().formatHex(next));
    }
  }
}
