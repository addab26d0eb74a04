package org.hourstone.server;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Finds the end of a line in bytes, eight at a time. */
final class LineEnd {
  private static final byte NEWLINE = '\n';
  private static final long NEWLINES = 0x0A0A0A0A0A0A0A0AL;
  private static final long ONES = 0x0101010101010101L;
  private static final long HIGH = 0x8080808080808080L;
  private static final VarHandle WORDS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private LineEnd() {}

  /** The place of the next line feed; the length of the text if there is none. */
  static int of(byte[] text, int from) {
    int at = from;
    for (; at <= text.length - Long.BYTES; at += Long.BYTES) {
      long difference = (long) WORDS.get(text, at) ^ NEWLINES;
      long zeros = (difference - ONES) & ~difference & HIGH; // the lowest one is exact
      if (zeros != 0) {
        return at + Long.numberOfTrailingZeros(zeros) / Byte.SIZE;
      }
    }
    while (at < text.length && text[at] != NEWLINE) {
      at++;
    }
    return at;
  }
}
