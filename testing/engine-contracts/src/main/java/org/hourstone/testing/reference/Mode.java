package org.hourstone.testing.reference;

/**
 * Which quirks of OpenTSDB the reference computes.
 *
 * @param earlyDoubles whether a double that is only used to interpolate makes a result a double
 * @param heldFirstRate whether a series gives something before its first rate
 * @param positiveMimmax whether the smallest double, which stands for a missing point, is the
 *     smallest positive one
 * @param negativesNeedTheTag whether a filter that excludes values excludes series without the tag
 * @param daysKeepTheirHour whether days after one that begins at 1:00 begin then, too
 */
record Mode(
    boolean earlyDoubles,
    boolean heldFirstRate,
    boolean positiveMimmax,
    boolean negativesNeedTheTag,
    boolean daysKeepTheirHour) {
  static final Mode STRICT = new Mode(true, true, true, true, true);
  static final Mode DEFAULT = new Mode(false, false, false, false, false);
}
