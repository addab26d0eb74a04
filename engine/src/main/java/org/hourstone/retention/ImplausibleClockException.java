package org.hourstone.retention;

import org.hourstone.error.RequestException;

/**
 * The time is more than a day after the newest stored point, so the clock may be wrong: nothing is
 * deleted until that is confirmed.
 */
public final class ImplausibleClockException extends RequestException {
  private static final long serialVersionUID = 1;

  ImplausibleClockException(String message) {
    super(message);
  }
}
