package org.hourstone.codec.coded;

/**
 * Doubles as decimal numbers: an integer divided by a power of ten, which IEEE 754 rounds to one
 * double. Most measured values are the nearest double of a short decimal number; an average or a
 * sum of such may be a few units in the last place beside it, see {@link #nudge}.
 */
final class Decimals {
  /** The most decimal places. */
  static final int MOST_PLACES = 15;

  /** What {@link #exact} and {@link #near} return if there is no such integer. */
  static final long NONE = Long.MIN_VALUE;

  /** Farther from a decimal number is a number of its own. */
  private static final int MOST_UNITS = 60;

  /** Integers of a smaller magnitude are surely not changed by the conversion from a double. */
  private static final double BOUND = 1L << 62;

  private static final double[] POWERS = new double[MOST_PLACES + 1];

  static {
    POWERS[0] = 1;
    for (int i = 1; i <= MOST_PLACES; i++) {
      POWERS[i] = POWERS[i - 1] * 10; // exact up to 10^22
    }
  }

  private Decimals() {}

  static double toDouble(long integer, int places) {
    return (double) integer / POWERS[places];
  }

  /** The integer that, with this number of decimal places, is exactly a number. */
  static long exact(double number, int places) {
    double scaled = number * POWERS[places];
    if (!(Math.abs(scaled) < BOUND)) {
      return NONE;
    }
    long integer = (long) Math.rint(scaled);
    return bits(toDouble(integer, places)) == bits(number) ? integer : NONE;
  }

  /** The integer that, with this number of places and rounded to a float, is exactly a float. */
  static long exactFloat(float number, int places) {
    double scaled = number * POWERS[places];
    if (!(Math.abs(scaled) < BOUND)) {
      return NONE;
    }
    long integer = (long) Math.rint(scaled);
    return Float.floatToRawIntBits((float) toDouble(integer, places))
            == Float.floatToRawIntBits(number)
        ? integer
        : NONE;
  }

  /** The integer that, with these places, is at most 60 units in the last place from a number. */
  static long near(double number, int places) {
    double scaled = number * POWERS[places];
    if (!(Math.abs(scaled) < BOUND)) {
      return NONE;
    }
    long integer = (long) Math.rint(scaled);
    long units = units(toDouble(integer, places), number);
    return units >= -MOST_UNITS && units <= MOST_UNITS ? integer : NONE;
  }

  /** How many doubles a number is after another one. */
  static long units(double from, double to) {
    return order(bits(to)) - order(bits(from));
  }

  /** The double that is a number of doubles after another one; -0.0 is the one before 0.0. */
  static double nudge(double from, long units) {
    return Double.longBitsToDouble(order(order(bits(from)) + units));
  }

  /** From a double's bits to its place in the order of all doubles, or back. */
  private static long order(long bits) {
    return bits ^ ((bits >> 63) & Long.MAX_VALUE);
  }

  private static long bits(double number) {
    return Double.doubleToRawLongBits(number);
  }
}
