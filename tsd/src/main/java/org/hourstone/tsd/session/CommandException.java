package org.hourstone.tsd.session;

import org.jspecify.annotations.Nullable;

/** A command can't be executed; the message is the complete explanation, on one line. */
public class CommandException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public CommandException(String message) {
    super(message);
  }

  public CommandException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
