package org.hourstone.tsd.compare;

import java.util.Locale;

/**
 * One way in which two answers differ.
 *
 * @param text what, on one line, first of A, then of B
 */
record Difference(Kind kind, String text) {
  /** What differs. */
  public enum Kind {
    /** Values of the same time, or other content. */
    VALUE,
    /** The times at which there are points. */
    TIME,
    /** Which series there are, by their metric and tags; or which names. */
    TAG,
    /** The same content is in another order. */
    ORDER,
    /** Only one answers, or their errors have different statuses. */
    ERROR;

    /** As shown. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
