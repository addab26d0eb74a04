package org.hourstone.tsd.terminal;

import java.io.IOException;

/** Standard output can't be written. */
public final class OutputException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private final IOException reason;

  public OutputException(IOException reason) {
    super("cannot write the output: " + reason.getMessage(), reason);
    this.reason = reason;
  }

  public IOException reason() {
    return reason;
  }

  /** Whether the reader has closed the pipe, as {@code head} does after its last line. */
  public boolean readerIsGone() {
    return String.valueOf(getCause()).contains("Broken pipe");
  }
}
