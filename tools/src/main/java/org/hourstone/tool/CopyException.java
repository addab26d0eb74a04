package org.hourstone.tool;

/** A copy failed, or differs from its source; the message says which cells and why. */
public final class CopyException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  CopyException(String message) {
    super(message);
  }
}
