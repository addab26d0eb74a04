package org.hourstone.api.proto;

/** Bytes are not the message that is expected; the message of this says what is wrong in them. */
public final class UnreadableException extends Exception {
  private static final long serialVersionUID = 1L;

  public UnreadableException(String message) {
    super(message);
  }

  /** What is wrong. */
  public String why() {
    return String.valueOf(getMessage());
  }
}
