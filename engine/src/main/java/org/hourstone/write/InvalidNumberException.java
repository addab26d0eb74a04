package org.hourstone.write;

import org.hourstone.error.RequestException;

/** The timestamp or value of a point is not a number. */
public final class InvalidNumberException extends RequestException {
  private static final long serialVersionUID = 1L;

  private final String reason;

  /**
   * @param reason without the text, which the message has
   */
  InvalidNumberException(String message, String reason) {
    super(message);
    this.reason = reason;
  }

  /** The same, of a field of a line: names the field and its text, once. */
  InvalidNumberException of(String field, String text) {
    return new InvalidNumberException(field + " '" + text + "': " + reason, reason);
  }
}
