package org.hourstone.write;

import org.hourstone.error.RequestException;

/** The timestamp or value of a point is not a number. */
public final class InvalidNumberException extends RequestException {
  private static final long serialVersionUID = 1L;

  InvalidNumberException(String message) {
    super(message);
  }
}
