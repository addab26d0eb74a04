package org.hourstone.codec.coded;

/**
 * Range asymmetric numeral systems (J. Duda, 2013): a sequence of symbols as a large number, to
 * which each symbol adds the logarithm of its rarity in bits.
 *
 * <p>The number is a state of 31 bits, never below 2<sup>15</sup>, and words of 16 bits that were
 * moved out of it. Symbols are encoded last to first and decoded first to last; the words and then
 * the state are written in the order in which they arise, so a decoder reads from the end. The
 * state before the first encoded symbol is free to contain {@value #FREE_BITS_OF_ONE} other bits.
 *
 * <p>A step of a decoder needs the state that the step before has left. So there are two states,
 * used in turn: a processor takes two steps at once. They share the words. Of version 1 of the cell
 * there is one.
 */
final class Rans {
  /** The free bits of both states. */
  static final int FREE_BITS = 30;

  private static final int FREE_BITS_OF_ONE = 15;
  private static final int LEAST_STATE = 1 << FREE_BITS_OF_ONE;
  private static final int WORD_BITS = 16;
  private static final int SYMBOL_MASK = 0x7F;

  /** A state below the frequency shifted by this stays within 31 bits when the symbol is added. */
  private static final int ROOM_BITS = FREE_BITS_OF_ONE + WORD_BITS - FrequencyTable.TOTAL_BITS;

  private Rans() {}

  /**
   * Writes symbols, with two states.
   *
   * @param symbols whose frequency is not 0
   * @param from the first one
   * @param to the index after the last one
   * @param free is encoded with them, {@value #FREE_BITS} bits
   */
  static void encode(FrequencyTable table, byte[] symbols, int from, int to, int free, Output out) {
    // As a decoder has them in the end, that which would be next first.
    int state = LEAST_STATE + (free & (LEAST_STATE - 1));
    int other = LEAST_STATE + (free >>> FREE_BITS_OF_ONE);
    for (int i = to - 1; i >= from; i--) {
      int before = other;
      other = state;
      int frequency = table.frequency(symbols[i]);
      if (before >= frequency << ROOM_BITS) {
        out.putShort(before);
        before >>>= WORD_BITS;
      }
      int quotient = before / frequency;
      state =
          (quotient << FrequencyTable.TOTAL_BITS)
              + (before - quotient * frequency)
              + table.start(symbols[i]);
    }
    putState(other, out);
    putState(state, out);
  }

  private static void putState(int state, Output out) {
    out.putShort(state >>> WORD_BITS);
    out.putShort(state);
  }

  /** Reads symbols from the end of an input. */
  static final class Reader {
    private final Input in;
    private final boolean two;
    private final byte[] bytes;
    private final int floor;
    private final int[] slots;
    private int end;

    /** The state with the next symbol. */
    private int state;

    /** The state with the symbol after that, if there are two. */
    private int other = LEAST_STATE;

    Reader(FrequencyTable table, Input in) {
      this.in = in;
      two = in.version > 1;
      slots = table.slots();
      state = lastState(in);
      if (two) {
        other = lastState(in);
      }
      bytes = in.bytes;
      floor = in.at + 2;
      end = in.to;
    }

    private static int lastState(Input in) {
      int state = in.lastShort() | in.lastShort() << WORD_BITS;
      if (state < LEAST_STATE) {
        throw new IllegalArgumentException("the state of the coder is " + state);
      }
      return state;
    }

    /** The next symbol. */
    int next() {
      int slot = slots[state & (FrequencyTable.TOTAL - 1)];
      int after =
          (slot >>> FrequencyTable.FREQUENCY_AT) * (state >>> FrequencyTable.TOTAL_BITS)
              + (slot & (FrequencyTable.TOTAL - 1));
      if (after < LEAST_STATE) {
        after = after << WORD_BITS | word();
      }
      if (two) {
        state = other;
        other = after;
      } else {
        state = after;
      }
      return slot >>> FrequencyTable.TOTAL_BITS & SYMBOL_MASK;
    }

    private int word() {
      if (end < floor) {
        throw new IllegalArgumentException("no more words at byte " + end);
      }
      end -= 2;
      return (bytes[end] & 0xFF) << Byte.SIZE | (bytes[end + 1] & 0xFF);
    }

    int freeBits() {
      return two ? FREE_BITS : FREE_BITS_OF_ONE;
    }

    /** After the last symbol: shortens the input by what was read, and returns the free bits. */
    int end() {
      in.to = end;
      int low = state - LEAST_STATE;
      int high = other - LEAST_STATE;
      if (low >= LEAST_STATE || high >= LEAST_STATE) {
        throw new IllegalArgumentException("the coder ends in state " + state + ", " + other);
      }
      return high << FREE_BITS_OF_ONE | low;
    }
  }
}
