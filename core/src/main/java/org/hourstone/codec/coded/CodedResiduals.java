package org.hourstone.codec.coded;

import java.util.Arrays;

/**
 * Numbers near a center as symbols of a {@link FrequencyTable}. Where the numbers are wide, only
 * the high bits of each are a symbol, and the low bits are stored as such; one that is not a symbol
 * is an escape.
 *
 * <pre>
 *   table number (bit 7: options follow)
 *   options: low bits per number (bits 0 to 5) | the center follows (6) | the high bits of the
 *            first number follow (7)
 *   center, high bits of the first number    if the options say so
 *   length of the rest                       unless the cell ends with it
 *   low bits of all numbers but the first, the lowest bit of a byte first
 *   escaped numbers
 * words and states of the coder            see {@link Rans}; these begin with the low bits of the
 *                                            first number
 * </pre>
 */
final class CodedResiduals {
  private static final int OPTIONS = 0x80;
  private static final int SHIFT = 0x3F;
  private static final int HAS_CENTER = 0x40;
  private static final int HAS_HIGH_BITS = 0x80;

  /** Low bits are collected in a long, in which up to 7 others are left. */
  private static final int MOST_SHIFT = 56;

  /** Number of bits of the 90th percentile of the magnitudes that are in the symbol. */
  private static final int SYMBOL_BITS = 4;

  private CodedResiduals() {}

  static void write(
      long[] numbers, int count, long center, boolean last, EncoderSpace space, Output out) {
    int shift = shift(numbers, count, center, space.lengths);
    long half = (1L << shift) >> 1;
    byte[] symbols = space.symbols(count);
    int[] counts = space.counts;
    Arrays.fill(counts, 0);
    for (int i = 1; i < count; i++) {
      long high = (numbers[i] - center + half) >> shift;
      boolean escape = high < -FrequencyTable.MOST || high > FrequencyTable.MOST;
      symbols[i] = (byte) (escape ? FrequencyTable.ESCAPE : high + FrequencyTable.MOST);
      counts[escape ? FrequencyTable.MOST + 1 : (int) Math.abs(high)]++;
    }
    FrequencyTable table = FrequencyTables.best(counts);

    long first = Output.zigzag(numbers[0]);
    long firstHigh = first >>> Rans.FREE_BITS;
    int options = shift | (center == 0 ? 0 : HAS_CENTER) | (firstHigh == 0 ? 0 : HAS_HIGH_BITS);
    out.put(options == 0 ? table.number() : table.number() | OPTIONS);
    if (options != 0) {
      out.put(options);
    }
    if (center != 0) {
      out.putSigned(center);
    }
    if (firstHigh != 0) {
      out.putVarint(firstHigh);
    }
    Output rest = last ? out : space.rest;
    if (!last) {
      rest.clear();
    }
    if (shift > 0) {
      writeLowBits(numbers, count, center - half, shift, rest);
    }
    for (int i = 1; i < count; i++) {
      if (table.frequency(symbols[i]) == 0) {
        symbols[i] = FrequencyTable.ESCAPE;
      }
      if (symbols[i] == FrequencyTable.ESCAPE) {
        rest.putSigned(numbers[i] - center);
      }
    }
    Rans.encode(table, symbols, 1, count, (int) first & ((1 << Rans.FREE_BITS) - 1), rest);
    if (!last) {
      out.putVarint(rest.size());
      out.put(rest);
    }
  }

  static void read(Input in, int form, long[] numbers, boolean last) {
    int number = form & ~OPTIONS;
    if (number >= FrequencyTables.COUNT) {
      throw new IllegalArgumentException("residuals of unknown form " + form);
    }
    FrequencyTable table = FrequencyTables.get(number);
    int options = (form & OPTIONS) == 0 ? 0 : in.next();
    int shift = options & SHIFT;
    if (shift > MOST_SHIFT) {
      throw new IllegalArgumentException(shift + " low bits, more than " + MOST_SHIFT);
    }
    long center = (options & HAS_CENTER) == 0 ? 0 : in.signed();
    long firstHigh = (options & HAS_HIGH_BITS) == 0 ? 0 : in.varint();
    Input rest =
        in.part(last ? in.remaining() : in.varint(0, Integer.MAX_VALUE, "length of residuals"));

    Input lowBits = rest.part((int) (((numbers.length - 1L) * shift + 7) / Byte.SIZE));
    Rans.Reader symbols = new Rans.Reader(table, rest);
    join(symbols, lowBits, shift, rest, center, numbers);
    int firstLow = symbols.end();
    numbers[0] = Input.unzigzag(firstHigh << symbols.freeBits() | firstLow);
    rest.end();
  }

  /** The number of low bits of large numbers, chosen so that most others make small symbols. */
  private static int shift(long[] numbers, int count, long center, int[] counts) {
    Arrays.fill(counts, 0);
    for (int i = 1; i < count; i++) {
      long number = numbers[i] - center;
      counts[Long.SIZE - Long.numberOfLeadingZeros(number ^ (number >> 63))]++;
    }
    int larger = (count - 1) / 10;
    int bits = Long.SIZE;
    while (bits > 0 && larger >= counts[bits]) {
      larger -= counts[bits];
      bits--;
    }
    return Math.min(MOST_SHIFT, Math.max(0, bits - SYMBOL_BITS));
  }

  private static void writeLowBits(long[] numbers, int count, long offset, int shift, Output out) {
    long mask = (1L << shift) - 1;
    long bits = 0;
    int filled = 0;
    for (int i = 1; i < count; i++) {
      bits |= ((numbers[i] - offset) & mask) << filled;
      filled += shift;
      while (filled >= Byte.SIZE) {
        out.put((int) bits);
        bits >>>= Byte.SIZE;
        filled -= Byte.SIZE;
      }
    }
    if (filled > 0) {
      out.put((int) bits);
    }
  }

  private static void join(
      Rans.Reader symbols, Input lowBits, int shift, Input escaped, long center, long[] numbers) {
    long offset = center - ((1L << shift) >> 1) - ((long) FrequencyTable.MOST << shift);
    long mask = (1L << shift) - 1;
    byte[] bytes = lowBits.bytes;
    int at = lowBits.at;
    long bits = 0;
    int filled = 0;
    for (int i = 1; i < numbers.length; i++) {
      while (filled < shift) {
        bits |= (bytes[at++] & 0xFFL) << filled;
        filled += Byte.SIZE;
      }
      int symbol = symbols.next();
      numbers[i] =
          symbol == FrequencyTable.ESCAPE
              ? escaped.signed() + center
              : ((long) symbol << shift) + (bits & mask) + offset;
      bits >>>= shift;
      filled -= shift;
    }
  }
}
