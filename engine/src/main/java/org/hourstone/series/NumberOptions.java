package org.hourstone.series;

/**
 * How numbers come out where OpenTSDB's are not what one expects.
 *
 * @param earlyDoubles whether a result is a double as soon as one is near; else only if one goes
 *     into it
 * @param heldFirstRate whether a series gives a made-up rate until its second point; else nothing
 * @param positiveMimmax whether to {@code mimmax} the least double, which stands for an absent
 *     point, is the least positive one
 */
public record NumberOptions(boolean earlyDoubles, boolean heldFirstRate, boolean positiveMimmax) {
  /** None of it. */
  public static final NumberOptions PLAIN = new NumberOptions(false, false, false);

  /** All of it. */
  public static final NumberOptions OPENTSDB = new NumberOptions(true, true, true);
}
