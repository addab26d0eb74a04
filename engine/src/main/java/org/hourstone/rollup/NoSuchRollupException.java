package org.hourstone.rollup;

/** No interval with this name is configured. */
public final class NoSuchRollupException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  NoSuchRollupException(String interval) {
    super("No rollup interval found for: " + interval);
  }
}
