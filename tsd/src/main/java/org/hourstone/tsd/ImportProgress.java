package org.hourstone.tsd;

import java.io.PrintStream;
import org.hourstone.write.ImportListener;

/**
 * Shows on standard error how an import goes: the first rejected lines as they come, and what is
 * safely stored. An operator resumes a killed import by the latter.
 */
sealed class ImportProgress implements ImportListener, AutoCloseable permits ImportBar {
  static final int REJECTIONS_SHOWN = 10;

  private final PrintStream err;
  private final boolean showRejections;
  private long rejections;

  /**
   * @param showRejections whether rejected lines are shown; else it is the first one that ends the
   *     import, and is reported by that
   */
  ImportProgress(PrintStream err, boolean showRejections) {
    this.err = err;
    this.showRejections = showRejections;
  }

  /** The next file. */
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
