package org.hourstone.tsd;

/** Standard input is required, but was closed by the parent process. */
final class ClosedInputException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ClosedInputException() {
    super("can't read -: standard input is closed");
  }
}
