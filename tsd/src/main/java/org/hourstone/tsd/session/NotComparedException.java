package org.hourstone.tsd.session;

import org.jspecify.annotations.Nullable;

/** Two servers can't be compared: one does not respond, or there is nothing to ask. */
public final class NotComparedException extends CommandException {
  private static final long serialVersionUID = 1L;

  public NotComparedException(String message) {
    super(message);
  }

  public NotComparedException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
