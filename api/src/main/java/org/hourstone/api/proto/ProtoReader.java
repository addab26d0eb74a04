package org.hourstone.api.proto;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;

/**
 * Reads a message in the wire format of Protocol Buffers where it is, field by field, without an
 * object for each. Nested messages are read by another reader, or {@linkplain #enter entered} and
 * {@linkplain #leave left}. Whatever the bytes are, none outside the message is read. For one
 * thread.
 */
public final class ProtoReader {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final int VARINT = 0;
  private static final int FIXED64 = 1;
  private static final int RANGE = 2;
  private static final int FIXED32 = 5;

  private static final int TYPE_BITS = 3;
  private static final int TYPE_MASK = (1 << TYPE_BITS) - 1;
  private static final int VARINT_BITS = 7;

  /** Says of eight bytes that another one follows. */
  private static final long CONTINUED = 0x8080808080808080L;

  private static final int MOST_NUMBER = (1 << 29) - 1;

  private byte[] bytes = {};
  private int at;
  private int end;

  /** The number and the type of the field, where it begins, and its value or where that begins. */
  private int field;

  private int type;
  private int fieldAt;
  private long number;
  private int from;

  /** A reader of no message. */
  public ProtoReader() {}

  public ProtoReader(byte[] bytes, int from, int to) {
    of(bytes, from, to);
  }

  /** Begins with another message. */
  public void of(byte[] in, int begin, int to) {
    bytes = in;
    at = begin;
    end = to;
  }

  /**
   * Reads a field.
   *
   * @return false at the end of the message
   * @throws UnreadableException if the bytes are not in the format
   */
  public boolean next() throws UnreadableException {
    if (at == end) {
      return false;
    }
    fieldAt = at;
    int tag = bytes[at];
    if (tag >= 1 << TYPE_BITS) { // most tags are one byte
      at++;
      field = tag >>> TYPE_BITS;
      type = tag & TYPE_MASK;
    } else {
      readTag();
    }
    if (type == RANGE) {
      from = take(varint());
    } else if (type == VARINT) {
      number = varint();
    } else {
      readFixed();
    }
    return true;
  }

  private void readTag() throws UnreadableException {
    long tag = varint();
    if (tag >>> TYPE_BITS == 0 || tag >>> TYPE_BITS > MOST_NUMBER) {
      throw malformed("there is no field " + (tag >>> TYPE_BITS));
    }
    field = (int) (tag >>> TYPE_BITS);
    type = (int) tag & TYPE_MASK;
  }

  private void readFixed() throws UnreadableException {
    switch (type) {
      case FIXED64 -> {
        from = take(Long.BYTES);
        number = (long) LONGS.get(bytes, from);
      }
      case FIXED32 -> from = take(Integer.BYTES);
      default -> throw malformed("there is no wire type " + type);
    }
  }

  /**
   * Passes fields as {@link #next} would, as long as they have this number and are texts, messages
   * or bytes shorter than 128: most labels and samples are.
   *
   * @param fieldNumber 1 to 15
   * @return the offset at which the next field begins, or the message ends
   */
  public int pass(int fieldNumber) {
    byte tag = (byte) (fieldNumber << TYPE_BITS | RANGE);
    byte[] in = bytes;
    int last = end - 2;
    int next = at;
    while (next <= last && in[next] == tag && in[next + 1] >= 0 && in[next + 1] <= last - next) {
      next += 2 + in[next + 1];
    }
    at = next;
    return next;
  }

  /**
   * Passes the next bytes; returns their begin.
   *
   * @throws UnreadableException if there are fewer
   */
  public int take(long length) throws UnreadableException {
    if (length < 0 || length > end - at) {
      throw malformed("a field is longer than its message");
    }
    int begin = at;
    at += (int) length;
    return begin;
  }

  /** Whether bytes are left in this message or list. */
  public boolean hasMore() {
    return at < end;
  }

  /** The next number of a list that was entered, or one that has no field of its own. */
  public long varint() throws UnreadableException {
    if (at < end && bytes[at] >= 0) {
      return bytes[at++]; // most are so short, and so is this method, for the compiler's sake
    }
    return longVarint();
  }

  private long longVarint() throws UnreadableException {
    if (at <= bytes.length - Long.BYTES) {
      long word = (long) LONGS.get(bytes, at);
      long last = ~word & CONTINUED;
      // The bits up to and with the first byte that no other one follows, of eight at most.
      int used = Long.numberOfTrailingZeros(last) / Byte.SIZE + 1;
      if (last != 0 && used <= end - at) {
        at += used;
        return joined(word & (last ^ (last - 1)));
      }
    }
    return varintByBytes();
  }

  /** Closes the gaps of a bit between groups of seven bits, in three steps. */
  private static long joined(long groups) {
    long value = groups & ~CONTINUED;
    value = (value & 0x007F007F007F007FL) | ((value & 0x7F007F007F007F00L) >>> 1);
    value = (value & 0x00003FFF00003FFFL) | ((value & 0x3FFF00003FFF0000L) >>> 2);
    return (value & 0x000000000FFFFFFFL) | ((value & 0x0FFFFFFF00000000L) >>> 4);
  }

  private long varintByBytes() throws UnreadableException {
    long value = 0;
    for (int shift = 0; shift < Long.SIZE; shift += VARINT_BITS) {
      if (at == end) {
        throw malformed("a number is cut off");
      }
      byte each = bytes[at++];
      value |= (each & 0x7FL) << shift;
      if (each >= 0) {
        return value;
      }
    }
    throw malformed("a number has more than ten bytes");
  }

  /** What is read from. */
  public byte[] bytes() {
    return bytes;
  }

  /** The number of the field. */
  public int field() {
    return field;
  }

  /** The offset at which the field, with its number, begins. */
  public int fieldAt() {
    return fieldAt;
  }

  /** Whether the field is a text, a message, bytes or packed numbers. */
  public boolean isRange() {
    return type == RANGE;
  }

  /** The offset at which its content begins if it is {@linkplain #isRange a range}. */
  public int from() throws UnreadableException {
    require(RANGE);
    return from;
  }

  /** The offset at which the field ends. */
  public int to() {
    return at;
  }

  /** The value of a field of a type such as int64, uint32, bool or enum. */
  public long number() throws UnreadableException {
    require(VARINT);
    return number;
  }

  /** That of a field of a type such as sint32. */
  public long signed() throws UnreadableException {
    long coded = number();
    return (coded >>> 1) ^ -(coded & 1);
  }

  /** The value of a field of eight bytes. */
  public long fixed() throws UnreadableException {
    require(FIXED64);
    return number;
  }

  /** That of a field of type double. */
  public double decimal() throws UnreadableException {
    return Double.longBitsToDouble(fixed());
  }

  /** That of a field of type string. */
  public String text() throws UnreadableException {
    int begin = from();
    try {
      return UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, begin, at - begin)).toString();
    } catch (CharacterCodingException e) {
      throw malformed("a text is not UTF-8");
    }
  }

  /**
   * Begins to read the message or list that is the field's content; {@link #leave} must follow.
   *
   * @return the end of the message that this field is of
   */
  public int enter() throws UnreadableException {
    require(RANGE);
    int outer = end;
    end = at;
    at = from;
    return outer;
  }

  /** Goes on behind the message that was entered, wherever in it this is. */
  public void leave(int outer) {
    at = end;
    end = outer;
  }

  /** Goes back to an offset in the message that is being read, at which a field begins. */
  public void rewind(int to) {
    at = to;
  }

  private void require(int expected) throws UnreadableException {
    if (type != expected) {
      throw malformed("field " + field + " has wire type " + type + " instead of " + expected);
    }
  }

  private UnreadableException malformed(String what) {
    return new UnreadableException(
        "not the protobuf message that is expected: " + what + ", before byte " + at);
  }
}
