package org.hourstone.histogram;

import org.hourstone.error.RequestException;

/** A histogram in a request is malformed. */
public final class UnreadableHistogramException extends RequestException {
  private static final long serialVersionUID = 1L;

  public UnreadableHistogramException(String message, Throwable cause) {
    super(message, cause);
  }
}
