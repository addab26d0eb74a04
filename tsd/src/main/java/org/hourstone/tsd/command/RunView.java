package org.hourstone.tsd.command;

import org.hourstone.table.TableListener;
import org.hourstone.table.TableProgress;
import org.hourstone.tsd.session.Progress;
import org.hourstone.write.SingleLine;
import org.jspecify.annotations.Nullable;

/**
 * Shows a run over tables on standard error: its progress and the first rows that were skipped.
 * Saves its checkpoints in a file.
 */
class RunView implements TableListener {
  static final int SHOWN = 10;

  private final Progress progress;
  private final String did;
  private final @Nullable CheckpointFile resume;
  private long skipped;
  private volatile byte[] last = {};

  /**
   * @param task the name of the bar
   * @param did the action on the rows, such as "checked"
   * @param resume null if the run has no checkpoints
   */
  RunView(Progress progress, String task, String did, @Nullable CheckpointFile resume) {
    this.progress = progress;
    this.did = did;
    this.resume = resume;
    progress.start(task);
  }

  @Override
  public void nextRow() {
    progress.proceed();
  }

  @Override
  public void skipped(String why) {
    line(++skipped, "skipped: " + why);
  }

  /**
   * Shows one of the first lines of a kind.
   *
   * @param count the number of lines of the kind, with this one
   */
  final void line(long count, String line) {
    if (count <= SHOWN) {
      progress.line(SingleLine.of(line));
    }
  }

  /** The action on the rows, for a line that is not redrawn. */
  String did(TableProgress now) {
    return did;
  }

  @Override
  public final void progress(TableProgress now) {
    last = now.last();
    progress.parts(now.rows(), now.done(), now.ranges(), did(now));
  }

  /** The key of the row that was completed last; for any thread. */
  final byte[] last() {
    return last;
  }

  @Override
  public final void checkpoint(String text) {
    if (resume != null) {
      resume.write(text);
    }
  }

  /** All rows are complete. */
  final void finish(long rows) {
    progress.finish(rows);
  }
}
