package org.hourstone.codec.rest;

import org.hourstone.codec.RowPoints;
import org.hourstone.codec.Value;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of a cell's points as integers: as such, or as decimal numbers that have the same
 * number of places.
 *
 * @param integers a number each
 * @param places of the decimal numbers; 0 for integers
 * @param units how far each number is from the decimal number, see {@link Decimals#nudge}; null if
 *     all are exact
 */
record ScaledValues(long[] integers, int places, long @Nullable [] units) {
  /** A number with more places that is near a decimal number may as well be noise. */
  private static final int MOST_PLACES_NEAR = 8;

  /** Integers of a smaller magnitude are exactly doubles. */
  private static final long MOST_SCALED = 1L << 53;

  /** The points' integers; null if some number is not even near a decimal number. */
  static @Nullable ScaledValues of(RowPoints points, ValueRule rule) {
    if (isAllIntegers(points, rule)) {
      long[] integers = new long[points.size()];
      for (int i = 0; i < integers.length; i++) {
        integers[i] = points.raw(i);
      }
      return new ScaledValues(integers, 0, null);
    }
    ScaledValues exact = scale(points, rule, false, MOST_PLACES_NEAR);
    if (exact != null) {
      return exact;
    }
    ScaledValues near = scale(points, rule, true, MOST_PLACES_NEAR);
    return near != null ? near : scale(points, rule, false, Decimals.MOST_PLACES);
  }

  /** Whether all points are integers, as far as their rule and their flags say. */
  static boolean isAllIntegers(RowPoints points, ValueRule rule) {
    if (rule != ValueRule.STORED) {
      return rule == ValueRule.INTEGERS;
    }
    for (int i = 0; i < points.size(); i++) {
      if (points.isFloat(i)) {
        return false;
      }
    }
    return true;
  }

  double number(int i) {
    double number = Decimals.toDouble(integers[i], places);
    return units == null ? number : Decimals.nudge(number, units[i]);
  }

  /** The numbers with the fewest places that all of them have; null if there are more than most. */
  private static @Nullable ScaledValues scale(
      RowPoints points, ValueRule rule, boolean near, int most) {
    long[] integers = new long[points.size()];
    int places = 0;
    int before = 0; // the points before this one were scaled to fewer places
    for (int i = 0; i < integers.length; i++) {
      integers[i] = scale(points, i, rule, near, places);
      while (integers[i] == Decimals.NONE) {
        if (places == most) {
          return null;
        }
        places++;
        before = i;
        integers[i] = scale(points, i, rule, near, places);
      }
    }
    for (int i = 0; i < before; i++) {
      integers[i] = scale(points, i, rule, near, places);
      if (integers[i] == Decimals.NONE) {
        return null;
      }
    }
    return new ScaledValues(integers, places, near ? units(points, rule, integers, places) : null);
  }

  private static long scale(RowPoints points, int i, ValueRule rule, boolean near, int places) {
    if (!points.isFloat(i)) {
      long scaled = Decimals.exact((double) points.raw(i), places);
      return Math.abs(scaled) < MOST_SCALED ? scaled : Decimals.NONE;
    }
    if (isRounded(points, i, rule)) {
      return Decimals.exactFloat(Float.intBitsToFloat((int) points.raw(i)), places);
    }
    double number = points.toDouble(i);
    return near ? Decimals.near(number, places) : Decimals.exact(number, places);
  }

  private static long[] units(RowPoints points, ValueRule rule, long[] integers, int places) {
    long[] units = new long[integers.length];
    for (int i = 0; i < units.length; i++) {
      if (points.isFloat(i) && !isRounded(points, i, rule)) {
        units[i] = Decimals.units(Decimals.toDouble(integers[i], places), points.toDouble(i));
      }
    }
    return units;
  }

  /** Whether the point is a float to which its decimal number is rounded. */
  private static boolean isRounded(RowPoints points, int i, ValueRule rule) {
    return (rule == ValueRule.FLOATS || rule == ValueRule.STORED)
        && points.flags(i) == Value.FLOAT_FLAGS;
  }
}
