package org.hourstone.testkit.reference;

/**
 * Where the contract has a quirk, whether it is kept.
 *
 * @param earlyDoubles whether a double that is only at hand makes a result a double
 * @param heldFirstRate whether a series gives something before its first rate
 * @param smallestPositive whether the smallest double that stands for a missing point is the
 *     smallest positive one
 */
record Mode(boolean earlyDoubles, boolean heldFirstRate, boolean smallestPositive) {
  static final Mode STRICT = new Mode(true, true, true);
  static final Mode DEFAULT = new Mode(false, false, false);
}
