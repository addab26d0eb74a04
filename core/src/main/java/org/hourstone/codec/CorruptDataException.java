package org.hourstone.codec;

/** Bytes violate the format. The message says which and why. */
public final class CorruptDataException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public CorruptDataException(String message) {
    super(message);
  }

  public CorruptDataException(String message, RuntimeException cause) {
    super(message, cause);
  }
}
