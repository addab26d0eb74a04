package org.hourstone.bench;

/**
 * What two servers must agree about.
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
