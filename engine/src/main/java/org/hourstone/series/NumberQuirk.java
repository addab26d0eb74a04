package org.hourstone.series;

/** A behaviour of OpenTSDB's arithmetic that surprises its users; each has a setting. */
public enum NumberQuirk {
  /** A result is a double if an adjacent point is one; else only if a double contributes to it. */
  EARLY_DOUBLES,
  /** A series contributes a made-up rate until its second point; else it contributes nothing. */
  HELD_FIRST_RATE,
  /**
   * {@code mimmax} uses the least positive double for an absent point, instead of the most negative
   * one.
   */
  POSITIVE_MIMMAX,
  /** Integers wrap around beyond 64 bits; else a result that does not fit is a double. */
  WRAPPED_INTEGERS
}
