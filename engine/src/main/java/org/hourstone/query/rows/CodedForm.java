package org.hourstone.query.rows;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** A coded form, whole, and the first two bytes of its qualifier. Immutable. */
final class CodedForm implements Comparable<CodedForm> {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long FACTOR = 0x9E37_79B9_7F4A_7C15L;

  final byte[] bytes;
  final char start;
  final int hash;

  private CodedForm(byte[] bytes, char start, int hash) {
    this.bytes = bytes;
    this.start = start;
    this.hash = hash;
  }

  static CodedForm of(byte[] bytes, byte[] start) {
    char both = (char) ((start[0] << Byte.SIZE) | (start[1] & 0xFF));
    long hash = both;
    int at = 0;
    for (; at <= bytes.length - Long.BYTES; at += Long.BYTES) {
      hash = Long.rotateLeft(hash ^ (long) LONG.get(bytes, at), 29) * FACTOR;
    }
    for (; at < bytes.length; at++) {
      hash = Long.rotateLeft(hash ^ bytes[at], 29) * FACTOR;
    }
    return new CodedForm(bytes, both, (int) (hash ^ (hash >>> Integer.SIZE)));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof CodedForm form
        && hash == form.hash
        && start == form.start
        && Arrays.equals(bytes, form.bytes);
  }

  @Override
  public int hashCode() {
    return hash;
  }

  /** Forms whose hashes are equal are found by their order. */
  @Override
  public int compareTo(CodedForm other) {
    int byStart = Character.compare(start, other.start);
    return byStart != 0 ? byStart : Arrays.compare(bytes, other.bytes);
  }
}
