package org.hourstone.codec.rest;

import java.util.Arrays;

/**
 * A number and those that follow it, which are expected near a common center, usually 0. The form
 * is in the first byte:
 *
 * <pre>
 *   00..7B:   coded with the frequency table of this number; with bit 7 set, options follow
 *   7C:       the first number, and another one, which all that follow are equal to
 *   7D:       the first number, and those that follow
 *   7E:       the first number, the center, and the differences from it
 * </pre>
 */
final class Residuals {
  private static final int EQUAL = 0x7C;
  private static final int PLAIN = 0x7D;
  private static final int CENTERED = 0x7E;

  /** Fewer numbers are left to the store's compression, as the coder's state would cost more. */
  private static final int LEAST_CODED = 48;

  private Residuals() {}

  /**
   * Writes numbers.
   *
   * @param numbers at least two; not changed
   * @param last whether nothing is written after them
   */
  static void write(long[] numbers, boolean last, Output out) {
    long[] following = Arrays.copyOfRange(numbers, 1, numbers.length);
    if (isConstant(following)) {
      out.put(EQUAL);
      out.putSigned(numbers[0]);
      out.putSigned(numbers[1]);
      return;
    }
    if (following.length >= LEAST_CODED) {
      CodedResiduals.write(numbers, centerOfMany(following), last, out);
      return;
    }
    int plainLength = length(following, 0);
    long center = plainLength == following.length ? 0 : median(following);
    boolean centered = length(following, center) + 1 < plainLength;
    out.put(centered ? CENTERED : PLAIN);
    out.putSigned(numbers[0]);
    if (centered) {
      out.putSigned(center);
    }
    for (int i = 1; i < numbers.length; i++) {
      out.putSigned(centered ? numbers[i] - center : numbers[i]);
    }
  }

  /**
   * Reads numbers.
   *
   * @param numbers receives them
   * @param last whether nothing was written after them
   */
  static void read(Input in, long[] numbers, boolean last) {
    int form = in.next();
    switch (form) {
      case EQUAL -> {
        numbers[0] = in.signed();
        Arrays.fill(numbers, 1, numbers.length, in.signed());
      }
      case PLAIN, CENTERED -> {
        numbers[0] = in.signed();
        long center = form == CENTERED ? in.signed() : 0;
        for (int i = 1; i < numbers.length; i++) {
          numbers[i] = in.signed() + center;
        }
      }
      default -> CodedResiduals.read(in, form, numbers, last);
    }
  }

  /** Replaces each number but the first by its difference from the one before. */
  static void difference(long[] numbers) {
    for (int i = numbers.length - 1; i > 0; i--) {
      numbers[i] -= numbers[i - 1];
    }
  }

  /** Undoes {@link #difference}. */
  static void sum(long[] numbers) {
    long sum = numbers[0]; // kept out of the array, where the next step would wait for it
    for (int i = 1; i < numbers.length; i++) {
      sum += numbers[i];
      numbers[i] = sum;
    }
  }

  private static boolean isConstant(long[] numbers) {
    return Arrays.equals(numbers, 0, numbers.length - 1, numbers, 1, numbers.length);
  }

  /** The median if most numbers have the same sign, as those of a counter have, else 0. */
  private static long centerOfMany(long[] numbers) {
    int positive = 0;
    int negative = 0;
    for (long number : numbers) {
      positive += number > 0 ? 1 : 0;
      negative += number < 0 ? 1 : 0;
    }
    if (Math.max(positive, negative) < numbers.length / 4 * 3) {
      return 0;
    }
    return median(numbers);
  }

  /** The middle one of numbers, which are sorted thereby. */
  private static long median(long[] numbers) {
    Arrays.sort(numbers);
    return numbers[numbers.length / 2];
  }

  private static int length(long[] numbers, long center) {
    int length = 0;
    for (long number : numbers) {
      length += (Long.SIZE + 6 - Long.numberOfLeadingZeros(Output.zigzag(number - center) | 1)) / 7;
    }
    return length;
  }
}
