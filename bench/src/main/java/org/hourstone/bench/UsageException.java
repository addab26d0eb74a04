package org.hourstone.bench;

/** The words after {@code bench/run} are not a command and its arguments. */
final class UsageException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  public UsageException(String message) {
    super(message);
  }
}
