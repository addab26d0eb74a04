package org.hourstone.index;

import org.hourstone.error.RequestException;

/** A value would be the first of a series beyond a limit of the number of series. */
public final class SeriesLimitException extends RequestException {
  private static final long serialVersionUID = 1L;

  SeriesLimitException(String message) {
    super(message);
  }
}
