package org.hourstone.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Searches in bytes, eight at a time. Arithmetic on a word of eight bytes sets the high bit of each
 * byte that matches; bits above the lowest one that is set may be wrong.
 */
public final class ByteSearch {
  private static final VarHandle WORDS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long ONES = 0x0101010101010101L;
  private static final long HIGH_BITS = ONES << 7;

  private ByteSearch() {}

  /** The index of a byte from 0 to 127 in a range; the range's end if it is absent. */
  public static int indexOf(byte[] text, int from, int to, char wanted) {
    int at = from;
    for (; at <= to - Long.BYTES; at += Long.BYTES) {
      long marks = marks(word(text, at), wanted);
      if (marks != 0) {
        return at + firstOf(marks);
      }
    }
    while (at < to && text[at] != wanted) {
      at++;
    }
    return at;
  }

  /**
   * The index of the first byte that is one of these or is not from 32 to 127; the range's end if
   * there is none.
   */
  public static int endOfPlain(byte[] text, int from, int to, char one, char other) {
    int at = from;
    for (; at <= to - Long.BYTES; at += Long.BYTES) {
      long word = word(text, at);
      long below = ((word - ONES * ' ') | word) & HIGH_BITS;
      long marks = below | marks(word, one) | marks(word, other);
      if (marks != 0) {
        return at + firstOf(marks);
      }
    }
    while (at < to && text[at] >= ' ' && text[at] != one && text[at] != other) {
      at++;
    }
    return at;
  }

  /** Eight bytes, the first one lowest. */
  public static long word(byte[] text, int at) {
    return (long) WORDS.get(text, at);
  }

  private static long marks(long word, char wanted) {
    long zeros = word ^ ONES * wanted;
    return (zeros - ONES) & ~zeros & HIGH_BITS;
  }

  private static int firstOf(long marks) {
    return Long.numberOfTrailingZeros(marks) / Byte.SIZE;
  }
}
