package org.hourstone.testing.reference;

import java.util.List;

/**
 * Which quirks of OpenTSDB the reference computes.
 *
 * @param earlyDoubles whether a double that is only used to interpolate makes a result a double
 * @param heldFirstRate whether a series gives something before its first rate
 * @param positiveMimmax whether the smallest double, which stands for a missing point, is the
 *     smallest positive one
 * @param wrappedIntegers whether integers wrap around
 * @param negativesNeedTheTag whether a filter that excludes values excludes series without the tag
 * @param ownCalendars whether each series counts the buckets of a calendar from its first point
 * @param nominalHours whether the hours that are read follow from an interval's nominal length, and
 *     nothing is read for interpolation
 * @param repeatedSeconds whether a result in seconds has a second as often as it has points in it
 */
record Mode(
    boolean earlyDoubles,
    boolean heldFirstRate,
    boolean positiveMimmax,
    boolean wrappedIntegers,
    boolean negativesNeedTheTag,
    boolean ownCalendars,
    boolean nominalHours,
    boolean repeatedSeconds) {
  static final Mode STRICT = new Mode(true, true, true, true, true, true, true, true);
  static final Mode DEFAULT = new Mode(false, false, false, false, false, false, false, false);

  /** The result of an aggregator for integers. */
  Number ofLongs(String name, List<Long> values) {
    return wrappedIntegers ? (Number) Functions.ofLongs(name, values) : Exact.ofLongs(name, values);
  }
}
