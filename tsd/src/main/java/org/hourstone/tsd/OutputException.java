package org.hourstone.tsd;

import java.io.IOException;

/** Standard output can't be written. */
final class OutputException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  OutputException(IOException cause) {
    super("cannot write the output: " + cause.getMessage(), cause);
  }

  /** Whether the reader has closed the pipe, as {@code head} does after its last line. */
  boolean readerIsGone() {
    return String.valueOf(getCause()).contains("Broken pipe");
  }
}
