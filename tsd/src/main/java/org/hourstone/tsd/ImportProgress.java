package org.hourstone.tsd;

import java.io.PrintStream;
import org.hourstone.write.ImportListener;

/**
 * Shows the progress of an import on standard error: the first rejected lines when they occur, and
 * how much is safely stored. An operator resumes a killed import from the latter.
 */
sealed class ImportProgress implements ImportListener, AutoCloseable permits ImportBar {
  static final int REJECTIONS_SHOWN = 10;

  private final PrintStream err;
  private final boolean showRejections;
  private long rejections;

  /**
   * @param showRejections whether rejected lines are shown; otherwise the first one ends the
   *     import, and is reported with its end
   */
  ImportProgress(PrintStream err, boolean showRejections) {
    this.err = err;
    this.showRejections = showRejections;
  }

  /** Starts the next file. */
  void start(ImportInput input) {}

  @Override
  public final void rejected(String place, String reason) {
    if (showRejections && ++rejections <= REJECTIONS_SHOWN) {
      show(place + ": rejected: " + reason);
    }
  }

  @Override
  public void read(long lines) {}

  @Override
  public void stored(String file, long lineNumber) {
    if (lineNumber == 0) {
      return;
    }
    show(file + ": stored up to line " + lineNumber);
  }

  /** Shows a line. */
  void show(String line) {
    err.println(line);
  }

  @Override
  public void close() {}
}
