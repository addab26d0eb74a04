package org.hourstone.tsd;

import org.hourstone.write.ImportListener;
import org.jspecify.annotations.Nullable;

/**
 * Shows the progress of an import: the first rejected lines when they occur, and a bar for each
 * file, of its bytes. Instead of a bar, how much is safely stored: an operator resumes a killed
 * import from there.
 */
final class ImportProgress implements ImportListener, AutoCloseable {
  static final int REJECTIONS_SHOWN = 10;

  private static final int LINES_PER_STEP = 1000;

  private final Progress progress;
  private final boolean showRejections;
  private @Nullable ImportInput input;
  private long rejections;
  private long lines;

  /**
   * @param showRejections whether rejected lines are shown; otherwise the first one ends the
   *     import, and is reported with its end
   */
  ImportProgress(Progress progress, boolean showRejections) {
    this.progress = progress;
    this.showRejections = showRejections;
  }

  /** Starts the next file. */
  void start(ImportInput next) {
    close();
    input = next;
    progress.start(next.name(), next.size(), " MiB", 1 << 20);
  }

  @Override
  public void rejected(String place, String reason) {
    if (showRejections && ++rejections <= REJECTIONS_SHOWN) {
      progress.line(place + ": rejected: " + reason);
    }
  }

  @Override
  public void read(long more) {
    lines += more;
    if (lines % LINES_PER_STEP == 0) {
      step();
    }
  }

  @Override
  public void stored(String file, long lineNumber) {
    step();
    if (!progress.redraws() && lineNumber > 0) {
      progress.line(file + ": stored up to line " + lineNumber);
    }
  }

  private void step() {
    if (input != null) {
      progress.stepTo(input.read());
    }
  }

  @Override
  public void close() {
    step();
    progress.close();
    input = null;
  }
}
