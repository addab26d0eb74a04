package org.hourstone.tsd;

/** A command was called with wrong arguments. */
final class UsageException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UsageException(String message) {
    super(message);
  }
}
