package org.hourstone.codec.coded;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * How often each symbol is expected, of {@value #TOTAL}. A symbol stands for a number from {@code
 * -MOST} to {@code MOST}, or for an escape. Each has an interval of as many slots as its frequency:
 * first the escape, then the numbers in ascending order. The frequency of the escape is at least 1;
 * that of a number depends on its magnitude only and may be 0. Thread-safe.
 */
final class FrequencyTable {
  static final int TOTAL_BITS = 12;
  static final int TOTAL = 1 << TOTAL_BITS;

  /** Where the frequency is in a slot. */
  static final int FREQUENCY_AT = 20;

  /** The largest number that is a symbol. */
  static final int MOST = 63;

  /** The symbol of number {@code h} is {@code h + MOST}; the escape is the one after them. */
  static final int ESCAPE = 2 * MOST + 1;

  /** What {@link #cost} counts in: parts of a bit. */
  private static final int BIT = 256;

  /** About as many bits follow an escape. */
  private static final int ESCAPED_BITS = 20;

  private final int number;
  private final int[] frequencies = new int[ESCAPE + 1];
  private final int[] starts = new int[ESCAPE + 1];

  /** By magnitude, the escape after them. */
  private final int[] costs = new int[MOST + 2];

  private volatile int @Nullable [] slots;

  /**
   * A table.
   *
   * @param number by which coded cells name it
   * @param given the frequencies of the escape, of 0, of 1 and -1 each, of 2 and -2 each …; all
   *     further ones are 0
   */
  FrequencyTable(int number, int[] given) {
    this.number = number;
    int escape = given[0];
    frequencies[ESCAPE] = escape;
    for (int i = 1; i < given.length; i++) {
      frequencies[MOST + i - 1] = given[i];
      frequencies[MOST - i + 1] = given[i];
    }
    int next = escape;
    for (int symbol = 0; symbol < ESCAPE; symbol++) {
      starts[symbol] = next;
      next += frequencies[symbol];
    }
    if (escape < 1 || next != TOTAL) {
      throw new IllegalArgumentException("the frequencies of table " + number + " sum to " + next);
    }
    int escapeCost = cost(escape) + ESCAPED_BITS * BIT;
    Arrays.fill(costs, escapeCost);
    for (int i = 1; i < given.length; i++) {
      costs[i - 1] = given[i] == 0 ? escapeCost : cost(given[i]);
    }
  }

  private static int cost(int frequency) {
    return (int) Math.round(BIT * StrictMath.log((double) TOTAL / frequency) / StrictMath.log(2));
  }

  int number() {
    return number;
  }

  int frequency(int symbol) {
    return frequencies[symbol];
  }

  /** The symbol's first slot. */
  int start(int symbol) {
    return starts[symbol];
  }

  /**
   * By slot: the symbol's frequency (from bit 20 on), the symbol (from bit 12 on), and how many
   * slots are before this one in the symbol's interval.
   */
  int[] slots() {
    int[] known = slots;
    if (known == null) {
      known = new int[TOTAL];
      for (int symbol = 0; symbol <= ESCAPE; symbol++) {
        for (int i = 0; i < frequencies[symbol]; i++) {
          known[starts[symbol] + i] =
              frequencies[symbol] << FREQUENCY_AT | symbol << TOTAL_BITS | i;
        }
      }
      slots = known;
    }
    return known;
  }

  /**
   * About how long symbols get with this table, in parts of a bit.
   *
   * @param counts of symbols by magnitude, those of escapes after them
   * @param most no larger magnitude occurs, except escapes
   */
  long cost(int[] counts, int most) {
    long sum = (long) counts[MOST + 1] * costs[MOST + 1];
    for (int i = 0; i <= most; i++) {
      sum += (long) counts[i] * costs[i];
    }
    return sum;
  }
}
