package org.hourstone.api.otlp;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.hourstone.api.proto.ProtoReader;
import org.hourstone.api.proto.UnreadableException;

/** Bytes in protobuf's wire format that grow. For one thread. */
final class ByteBuilder {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** The bytes of a length that is written once it is known. */
  private static final int LENGTH = 5;

  private static final int VARINT_BITS = 7;
  private static final int MORE = 0x80;
  private static final int RANGE = 2;
  private static final int TYPE_BITS = 3;

  private byte[] bytes = new byte[64];
  private int length;

  void clear() {
    length = 0;
  }

  int length() {
    return length;
  }

  /** Removes what was added later. */
  void shortenTo(int shorter) {
    length = shorter;
  }

  /** Valid until something is added; longer than what was added. */
  byte[] bytes() {
    return bytes;
  }

  byte[] toBytes() {
    return Arrays.copyOf(bytes, length);
  }

  private void reserve(int more) {
    if (more > bytes.length - length) {
      long wanted = Math.max((long) length + more, length + (length >> 1));
      bytes = Arrays.copyOf(bytes, (int) Math.min(wanted, Integer.MAX_VALUE - 8));
    }
  }

  void add(byte[] from, int begin, int end) {
    reserve(end - begin);
    System.arraycopy(from, begin, bytes, length, end - begin);
    length += end - begin;
  }

  void add(byte each) {
    reserve(1);
    bytes[length++] = each;
  }

  void addVarint(long value) {
    long rest = value;
    while ((rest & -MORE) != 0) {
      add((byte) (rest | MORE));
      rest >>>= VARINT_BITS;
    }
    add((byte) rest);
  }

  void addFixed(long value) {
    reserve(Long.BYTES);
    putLong(bytes, length, value);
    length += Long.BYTES;
  }

  /**
   * Adds a repeated number to those that are packed: the field is one of them, or several.
   *
   * @param ofEightBytes whether each has eight, else it is a varint
   */
  void addPacked(ProtoReader of, boolean ofEightBytes) throws UnreadableException {
    if (of.isRange()) {
      int size = of.to() - of.from();
      if (ofEightBytes && size % Long.BYTES != 0) {
        throw new UnreadableException(
            "not protobuf: field " + of.field() + " of packed numbers has " + size + " bytes");
      }
      add(of.bytes(), of.from(), of.to());
    } else if (ofEightBytes) {
      addFixed(of.fixed());
    } else {
      addVarint(of.number());
    }
  }

  static long longAt(byte[] bytes, int at) {
    return (long) LONGS.get(bytes, at);
  }

  static void putLong(byte[] bytes, int at, long value) {
    LONGS.set(bytes, at, value);
  }

  /** Begins a field. */
  void addTag(int field, int type) {
    addVarint(((long) field << TYPE_BITS) | type);
  }

  /** A field that is a text, a message or packed numbers. */
  void addRange(int field, byte[] value) {
    addTag(field, RANGE);
    addVarint(value.length);
    add(value, 0, value.length);
  }

  /** Begins a field whose length is not known; returns what {@link #end} is to be called with. */
  int begin(int field) {
    addTag(field, RANGE);
    reserve(LENGTH);
    length += LENGTH;
    return length;
  }

  /** Ends a field. */
  void end(int begin) {
    int rest = length - begin;
    for (int i = begin - LENGTH; i < begin - 1; i++) {
      bytes[i] = (byte) (rest | MORE);
      rest >>>= VARINT_BITS;
    }
    bytes[begin - 1] = (byte) rest;
  }
}
