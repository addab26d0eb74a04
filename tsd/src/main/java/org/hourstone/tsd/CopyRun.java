package org.hourstone.tsd;

import org.hourstone.tool.CopyListener;
import org.hourstone.write.SingleLine;
import org.jspecify.annotations.Nullable;

/**
 * Shows on standard error how a copy goes, and the first cells that differ; keeps in a file how far
 * it is.
 */
final class CopyRun implements CopyListener {
  private static final int SHOWN = 10;

  private final ResumeFile resume;
  private final String identity;
  private @Nullable PartsProgress progress;
  private long differences;
  private long notes;

  /**
   * @param identity of the stores and what is copied, on one line
   */
  CopyRun(ResumeFile resume, String identity) {
    this.resume = resume;
    this.identity = SingleLine.of(identity);
  }

  /**
   * What an earlier run has said last; null if there was none.
   *
   * @throws CommandException if it was another copy's
   */
  @Nullable String checkpoint() {
    String text = resume.readText();
    if (text == null) {
      return null;
    }
    if (!text.startsWith(identity + "\n")) {
      throw new CommandException(
          "the file to resume from is of another copy: "
              + SingleLine.of(text.lines().findFirst().orElse("")));
    }
    return text.substring(identity.length() + 1);
  }

  void show(PartsProgress shown) {
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
      progress.show(rows, done, parts);
    }
  }

  @Override
  public void checkpoint(String state) {
    resume.writeText(identity + "\n" + state + "\n");
  }
}
