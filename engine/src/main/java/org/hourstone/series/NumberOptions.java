package org.hourstone.series;

/**
 * Number semantics where OpenTSDB's are surprising.
 *
 * @param earlyDoubles whether a result is a double as soon as one is near; else only if one
 *     contributes to it
 * @param heldFirstRate whether a series contributes a made-up rate until its second point; else it
 *     contributes nothing
 * @param positiveMimmax whether {@code mimmax} uses the least positive double for an absent point,
 *     instead of the most negative one
 */
public record NumberOptions(boolean earlyDoubles, boolean heldFirstRate, boolean positiveMimmax) {
  /** None of it. */
  public static final NumberOptions PLAIN = new NumberOptions(false, false, false);

  /** All of it. */
  public static final NumberOptions OPENTSDB = new NumberOptions(true, true, true);
}
