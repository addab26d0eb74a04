package org.hourstone.tsd;

/** A command can't be carried out; the message is all there is to say, on one line. */
final class CommandException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  CommandException(String message) {
    super(message);
  }

  CommandException(String message, Throwable cause) {
    super(message, cause);
  }
}
