package org.hourstone.tsd;

import java.io.IOException;

/** Standard output can't be written. */
final class OutputException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private final IOException reason;

  OutputException(IOException reason) {
    super("cannot write the output: " + reason.getMessage(), reason);
    this.reason = reason;
  }

  IOException reason() {
    return reason;
  }

  /** Whether the reader has closed the pipe, as {@code head} does after its last line. */
  boolean readerIsGone() {
    return String.valueOf(getCause()).contains("Broken pipe");
  }
}
