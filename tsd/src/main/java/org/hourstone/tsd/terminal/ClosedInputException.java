package org.hourstone.tsd.terminal;

/** Standard input is required, but was closed by the parent process. */
public final class ClosedInputException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public ClosedInputException() {
    super("can't read -: standard input is closed");
  }
}
