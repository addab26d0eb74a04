package org.hourstone.bench;

/**
 * The figures of a response on which two servers must agree.
 *
 * @param values how many there are
 * @param sum of all of them
 */
record PeerAnswer(long values, double sum) {
  private static final double ROUNDING = 1e-9;

  boolean agreesWith(PeerAnswer other) {
    return values == other.values
        && Math.abs(sum - other.sum) <= ROUNDING * Math.max(1, Math.abs(sum));
  }
}
