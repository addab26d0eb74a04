package org.hourstone.tsd;

/** Standard input is to be read, and was closed by whoever started the process. */
final class ClosedInputException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ClosedInputException() {
    super("can't read -: standard input is closed");
  }
}
