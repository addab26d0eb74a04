package org.hourstone.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Searches in bytes, eight at a time. A word of them is tested for a byte by arithmetic that marks
 * the high bit of each byte that is found; marks above the lowest one may be wrong.
 */
public final class ByteSearch {
  private static final VarHandle WORDS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long ONES = 0x0101010101010101L;
  private static final long HIGH_BITS = ONES << 7;

  private ByteSearch() {}

  /** The place of a byte from 0 to 127 in a range; its end if it isn't there. */
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

  /** The place of the first byte that is one of these or not from 32 to 127; the end if none is. */
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
