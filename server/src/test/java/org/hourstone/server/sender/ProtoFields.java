package org.hourstone.server.sender;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The fields of a message in the encoding of Protocol Buffers, written one by one. */
public final class ProtoFields {
  private static final int FIXED64 = 1;
  private static final int BYTES = 2;

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  /** A field of an integer type. */
  public ProtoFields number(int field, long value) {
    varint((long) field << 3);
    varint(value);
    return this;
  }

  /** A field of type fixed64 or sfixed64. */
  public ProtoFields fixed(int field, long value) {
    varint((long) field << 3 | FIXED64);
    bytes.writeBytes(
        ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(value).array());
    return this;
  }

  /** A field of type double. */
  public ProtoFields decimal(int field, double value) {
    return fixed(field, Double.doubleToRawLongBits(value));
  }

  public ProtoFields text(int field, String text) {
    return content(field, text.getBytes(UTF_8));
  }

  public ProtoFields message(int field, ProtoFields message) {
    return content(field, message.toBytes());
  }

  private ProtoFields content(int field, byte[] content) {
    varint((long) field << 3 | BYTES);
    varint(content.length);
    bytes.writeBytes(content);
    return this;
  }

  private void varint(long value) {
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      bytes.write((int) ((rest & 0x7F) | 0x80));
      rest >>>= 7;
    }
    bytes.write((int) rest);
  }

  public byte[] toBytes() {
    return bytes.toByteArray();
  }

  /**
   * A series of Prometheus' remote write, with one sample.
   *
   * @param labels names and values in turn
   */
  public static ProtoFields series(double value, long millis, String... labels) {
    ProtoFields series = new ProtoFields();
    for (int i = 0; i < labels.length; i += 2) {
      series.message(1, new ProtoFields().text(1, labels[i]).text(2, labels[i + 1]));
    }
    return series.message(2, new ProtoFields().decimal(1, value).number(2, millis));
  }
}
