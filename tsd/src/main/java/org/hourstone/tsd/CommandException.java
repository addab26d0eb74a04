package org.hourstone.tsd;

import org.jspecify.annotations.Nullable;

/** A command can't be executed; the message is the complete explanation, on one line. */
class CommandException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  CommandException(String message) {
    super(message);
  }

  CommandException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
