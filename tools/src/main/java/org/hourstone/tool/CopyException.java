package org.hourstone.tool;

/** A copy can't be made, or is not what it should be; the message says which cells and why. */
public final class CopyException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  CopyException(String message) {
    super(message);
  }
}
