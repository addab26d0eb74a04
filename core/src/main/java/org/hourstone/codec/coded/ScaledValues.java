package org.hourstone.codec.coded;

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
  double number(int i) {
    double number = Decimals.toDouble(integers[i], places);
    return units == null ? number : Decimals.nudge(number, units[i]);
  }
}
