package org.hourstone.codec.coded;

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
   * @param numbers not changed; the first {@code count} are written
   * @param count at least two
   * @param last whether nothing is written after them
   */
  static void write(long[] numbers, int count, boolean last, EncoderSpace space, Output out) {
    if (isConstant(numbers, count)) {
      out.put(EQUAL);
      out.putSigned(numbers[0]);
      out.putSigned(numbers[1]);
      return;
    }
    if (count > LEAST_CODED) {
      CodedResiduals.write(numbers, count, centerOfMany(numbers, count, space), last, space, out);
      return;
    }
    int plainLength = length(numbers, count, 0);
    long center = plainLength == count - 1 ? 0 : median(numbers, count, space);
    boolean centered = length(numbers, count, center) + 1 < plainLength;
    out.put(centered ? CENTERED : PLAIN);
    out.putSigned(numbers[0]);
    if (centered) {
      out.putSigned(center);
    }
    for (int i = 1; i < count; i++) {
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
  static void difference(long[] numbers, int count) {
    for (int i = count - 1; i > 0; i--) {
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

  /** Whether all numbers that follow the first one are equal. */
  private static boolean isConstant(long[] numbers, int count) {
    return Arrays.equals(numbers, 1, count - 1, numbers, 2, count);
  }

  /** The median if most numbers have the same sign, as those of a counter have, else 0. */
  private static long centerOfMany(long[] numbers, int count, EncoderSpace space) {
    int positive = 0;
    int negative = 0;
    for (int i = 1; i < count; i++) {
      positive += numbers[i] > 0 ? 1 : 0;
      negative += numbers[i] < 0 ? 1 : 0;
    }
    if (Math.max(positive, negative) < (count - 1) / 4 * 3) {
      return 0;
    }
    return median(numbers, count, space);
  }

  /** The middle one of the numbers that follow the first one. */
  private static long median(long[] numbers, int count, EncoderSpace space) {
    int following = count - 1;
    long[] sorted = space.sorted(following);
    System.arraycopy(numbers, 1, sorted, 0, following);
    Arrays.sort(sorted, 0, following);
    return sorted[following / 2];
  }

  private static int length(long[] numbers, int count, long center) {
    int length = 0;
    for (int i = 1; i < count; i++) {
      long number = Output.zigzag(numbers[i] - center);
      length += (Long.SIZE + 6 - Long.numberOfLeadingZeros(number | 1)) / 7;
    }
    return length;
  }
}
