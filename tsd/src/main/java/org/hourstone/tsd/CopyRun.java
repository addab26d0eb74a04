package org.hourstone.tsd;

import org.hourstone.tool.CopyListener;
import org.hourstone.write.SingleLine;
import org.jspecify.annotations.Nullable;

/**
 * Shows the progress of a copy on standard error, and the first cells that differ; saves its
 * checkpoints in a file.
 */
final class CopyRun implements CopyListener {
  private static final int SHOWN = 10;

  private final ResumeFile resume;
  private final String identity;
  private @Nullable Progress progress;
  private long differences;
  private long notes;

  /**
   * @param identity of the stores and the scope, on one line
   */
  CopyRun(ResumeFile resume, String identity) {
    this.resume = resume;
    this.identity = SingleLine.of(identity);
  }

  /**
   * The last checkpoint of an earlier run; null if there was none.
   *
   * @throws CommandException if it is that of another copy
   */
  @Nullable String checkpoint() {
    String text = resume.readText();
    if (text == null) {
      return null;
    }
    if (!text.startsWith(identity + "\n")) {
      throw new CommandException(
          "the resume file is from a different copy: "
              + SingleLine.of(text.lines().findFirst().orElse("")));
    }
    return text.substring(identity.length() + 1);
  }

  void show(Progress shown) {
    progress = shown;
  }

  /** The copy is complete. */
  void complete() {
    resume.delete();
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
    resume.writeText(identity + "\n" + state + "\n");
  }
}
