package org.hourstone.codec.rest;

/**
 * Range asymmetric numeral systems (J. Duda, 2013): a sequence of symbols as one large number, to
 * which each symbol adds the logarithm of its rarity in bits.
 *
 * <p>The number is a state of 31 bits, never below 2<sup>15</sup>, and words of 16 bits that were
 * moved out of it. Symbols are encoded last to first and decoded first to last; the words and then
 * the state are written in the order in which they arise, so a decoder reads from the end. The
 * state before the first encoded symbol is free to contain {@value #FREE_BITS} other bits.
 */
final class Rans {
  static final int FREE_BITS = 15;

  private static final int LEAST_STATE = 1 << FREE_BITS;
  private static final int WORD_BITS = 16;

  /** A state below the frequency shifted by this stays within 31 bits when the symbol is added. */
  private static final int ROOM_BITS = FREE_BITS + WORD_BITS - FrequencyTable.TOTAL_BITS;

  private Rans() {}

  /**
   * Writes symbols.
   *
   * @param symbols whose frequency is not 0
   * @param from the first one
   * @param to the index after the last one
   * @param free is encoded with them, {@value #FREE_BITS} bits
   */
  static void encode(FrequencyTable table, byte[] symbols, int from, int to, int free, Output out) {
    int state = LEAST_STATE + free;
    for (int i = to - 1; i >= from; i--) {
      int frequency = table.frequency(symbols[i]);
      if (state >= frequency << ROOM_BITS) {
        out.putShort(state);
        state >>>= WORD_BITS;
      }
      int quotient = state / frequency;
      state =
          (quotient << FrequencyTable.TOTAL_BITS)
              + (state - quotient * frequency)
              + table.start(symbols[i]);
    }
    out.putShort(state >>> WORD_BITS);
    out.putShort(state);
  }

  /**
   * Reads symbols from the end of an input, and shortens it by what was read.
   *
   * @return the free bits
   */
  static int decode(FrequencyTable table, Input in, byte[] symbols, int from, int to) {
    int[] slots = table.slots();
    int state = in.lastShort() | in.lastShort() << WORD_BITS;
    if (state < LEAST_STATE) {
      throw new IllegalArgumentException("the state of the coder is " + state);
    }
    byte[] bytes = in.bytes;
    int floor = in.at + 2;
    int end = in.to;
    for (int i = from; i < to; i++) {
      int slot = slots[state & (FrequencyTable.TOTAL - 1)];
      symbols[i] = (byte) (slot >>> 24);
      state =
          (slot >>> FrequencyTable.TOTAL_BITS & (FrequencyTable.TOTAL - 1))
                  * (state >>> FrequencyTable.TOTAL_BITS)
              + (slot & (FrequencyTable.TOTAL - 1));
      if (state < LEAST_STATE) {
        if (end < floor) {
          throw new IllegalArgumentException("no more words at byte " + end);
        }
        end -= 2;
        state = state << WORD_BITS | (bytes[end] & 0xFF) << Byte.SIZE | (bytes[end + 1] & 0xFF);
      }
    }
    in.to = end;
    int free = state - LEAST_STATE;
    if (free >= LEAST_STATE) {
      throw new IllegalArgumentException("the coder ends in state " + state);
    }
    return free;
  }
}
