package org.hourstone.histogram;

/** A histogram in a request is malformed. */
public final class UnreadableHistogramException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  UnreadableHistogramException(String message, Throwable cause) {
    super(message, cause);
  }
}
