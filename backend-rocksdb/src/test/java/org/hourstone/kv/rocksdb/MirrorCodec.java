package org.hourstone.kv.rocksdb;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.hourstone.kv.CellCodec;

/**
 * Codes every cell it may: the value and the qualifier, each backwards, and the qualifier's length.
 */
public final class MirrorCodec implements CellCodec {
  private static final byte VERSION = 0x4D;

  /** Bytes of the qualifier of a cell that can't be decoded. */
  static final int UNDECODABLE = 7;

  private static final int HEADER = 1 + Integer.BYTES;

  @Override
  public String name() {
    return "mirror-1";
  }

  @Override
  public boolean codes(byte[] qualifier) {
    return qualifier.length >= 6;
  }

  @Override
  public byte[] encode(byte[] qualifier, byte[] value) {
    return ByteBuffer.allocate(HEADER + qualifier.length + value.length)
        .put(VERSION)
        .putInt(qualifier.length)
        .put(mirrored(value, 0, value.length))
        .put(mirrored(qualifier, 0, qualifier.length))
        .array();
  }

  @Override
  public Decoded decode(byte[] bytes, int from, int to) {
    if (to - from < HEADER || bytes[from] != VERSION) {
      throw new IllegalArgumentException("no mirror of a cell");
    }
    int length = ByteBuffer.wrap(bytes).getInt(from + 1);
    if (length < 6 || length > to - from - HEADER) {
      throw new IllegalArgumentException("a qualifier of " + length + " bytes");
    }
    return new Decoded(
        mirrored(bytes, to - length, to), mirrored(bytes, from + HEADER, to - length));
  }

  @Override
  public Decoded undecodable(byte[] start) {
    return new Decoded(Arrays.copyOf(start, UNDECODABLE), new byte[0]);
  }

  private static byte[] mirrored(byte[] bytes, int from, int to) {
    byte[] mirrored = new byte[to - from];
    for (int i = from; i < to; i++) {
      mirrored[to - 1 - i] = bytes[i];
    }
    return mirrored;
  }
}
