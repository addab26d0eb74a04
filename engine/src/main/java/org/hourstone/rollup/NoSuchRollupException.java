package org.hourstone.rollup;

import org.hourstone.error.RequestException;

/** No interval with this name is configured. */
public final class NoSuchRollupException extends RequestException {
  private static final long serialVersionUID = 1L;

  NoSuchRollupException(String interval) {
    super("No rollup interval found for: " + interval);
  }
}
