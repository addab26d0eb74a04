package org.hourstone.tsd;

import org.hourstone.tool.CopyListener;
import org.hourstone.write.SingleLine;
import org.jspecify.annotations.Nullable;

/**
 * Shows the progress of a copy and the first cells that differ on standard error, and saves its
 * checkpoints in a file.
 */
final class CopyRun implements CopyListener {
  private static final int SHOWN = 10;

  private final CheckpointFile resume;
  private @Nullable Progress progress;
  private long differences;
  private long notes;

  CopyRun(CheckpointFile resume) {
    this.resume = resume;
  }

  void show(Progress shown) {
    progress = shown;
  }

  long differences() {
    return differences;
  }

  @Override
  public void differs(String what) {
    if (++differences <= SHOWN) {
      line("differs: " + what);
    }
  }

  @Override
  public void note(String what) {
    if (++notes <= SHOWN) {
      line(what);
    }
  }

  private void line(String line) {
    if (progress != null) {
      progress.line(SingleLine.of(line));
    }
  }

  @Override
  public void progress(long rows, long cells, int done, int parts) {
    if (progress != null) {
      progress.parts(rows, done, parts, "copied");
    }
  }

  @Override
  public void checkpoint(String state) {
    resume.write(state);
  }
}
