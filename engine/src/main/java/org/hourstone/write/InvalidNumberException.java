package org.hourstone.write;

import org.hourstone.error.RequestException;

/** The timestamp or value of a point is not a number. */
public final class InvalidNumberException extends RequestException {
  private static final long serialVersionUID = 1L;

  InvalidNumberException(String message) {
    super(message);
  }

  /** The same, of a field of a line: names the field and its text, once. */
  InvalidNumberException of(String field, String text) {
    String reason =
        String.valueOf(getMessage())
            .replace(" in " + text, "")
            .replace(": " + text, "")
            .replace(text + " is ", "");
    boolean ofJava = reason.contains("input string") || reason.equals("multiple points");
    return new InvalidNumberException(
        field + " '" + text + "': " + (ofJava ? "not a number" : reason));
  }
}
