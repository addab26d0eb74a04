package org.hourstone.tsd;

/** A command was called in a way it isn't meant to be. */
final class UsageException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UsageException(String message) {
    super(message);
  }
}
