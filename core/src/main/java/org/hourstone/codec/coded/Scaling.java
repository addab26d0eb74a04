package org.hourstone.codec.coded;

import org.hourstone.codec.RowPoints;
import org.hourstone.codec.Value;

/**
 * Turns the numbers of cells into {@link ScaledValues}: those of the cell that was scaled last. Its
 * arrays are used again, and longer than there are points. Not thread-safe.
 */
final class Scaling {
  /** A number with more places that is near a decimal number may as well be noise. */
  private static final int MOST_PLACES_NEAR = 8;

  /** Integers of a smaller magnitude are exactly doubles. */
  private static final long MOST_SCALED = 1L << 53;

  private long[] integers = {};
  private long[] units = {};
  private int places;
  private boolean near;

  /** A number each. */
  long[] integers() {
    return integers;
  }

  /** See {@link ScaledValues#places}. */
  int places() {
    return places;
  }

  /** Whether some number is not exactly its decimal number. */
  boolean isNear() {
    return near;
  }

  /** See {@link ScaledValues#units}; only if it {@link #isNear}. */
  long[] units() {
    return units;
  }

  /**
   * Scales the numbers of points.
   *
   * @return whether all of them are at least near a decimal number
   */
  boolean scale(RowPoints points, ValueRule rule) {
    integers = EncoderSpace.roomFor(points.size(), integers);
    near = false;
    if (isAllIntegers(points, rule)) {
      places = 0;
      for (int i = 0; i < points.size(); i++) {
        integers[i] = points.raw(i);
      }
      return true;
    }
    if (scale(points, rule, false, MOST_PLACES_NEAR)) {
      return true;
    }
    if (scale(points, rule, true, MOST_PLACES_NEAR)) {
      near = true;
      setUnits(points, rule);
      return true;
    }
    return scale(points, rule, false, Decimals.MOST_PLACES);
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

  /** Takes the fewest places that all numbers have; returns false if these are more than most. */
  private boolean scale(RowPoints points, ValueRule rule, boolean toNear, int most) {
    places = 0;
    int before = 0; // the points before this one were scaled to fewer places
    for (int i = 0; i < points.size(); i++) {
      integers[i] = scale(points, i, rule, toNear, places);
      while (integers[i] == Decimals.NONE) {
        if (places == most) {
          return false;
        }
        places++;
        before = i;
        integers[i] = scale(points, i, rule, toNear, places);
      }
    }
    for (int i = 0; i < before; i++) {
      integers[i] = scale(points, i, rule, toNear, places);
      if (integers[i] == Decimals.NONE) {
        return false;
      }
    }
    return true;
  }

  private static long scale(RowPoints points, int i, ValueRule rule, boolean toNear, int places) {
    if (!points.isFloat(i)) {
      long scaled = Decimals.exact((double) points.raw(i), places);
      return Math.abs(scaled) < MOST_SCALED ? scaled : Decimals.NONE;
    }
    if (isRounded(points, i, rule)) {
      return Decimals.exactFloat(Float.intBitsToFloat((int) points.raw(i)), places);
    }
    double number = points.toDouble(i);
    return toNear ? Decimals.near(number, places) : Decimals.exact(number, places);
  }

  private void setUnits(RowPoints points, ValueRule rule) {
    units = EncoderSpace.roomFor(points.size(), units);
    for (int i = 0; i < points.size(); i++) {
      boolean exact = !points.isFloat(i) || isRounded(points, i, rule);
      units[i] =
          exact ? 0 : Decimals.units(Decimals.toDouble(integers[i], places), points.toDouble(i));
    }
  }

  /** Whether the point is a float to which its decimal number is rounded. */
  private static boolean isRounded(RowPoints points, int i, ValueRule rule) {
    return (rule == ValueRule.FLOATS || rule == ValueRule.STORED)
        && points.flags(i) == Value.FLOAT_FLAGS;
  }
}
