package org.hourstone.histogram;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.hourstone.codec.CorruptDataException;
import org.hourstone.error.RequestException;

/**
 * OpenTSDB's built-in codec: the encoding of a histogram by its Kryo library. See {@code
 * docs/format/histogram.md#value}.
 *
 * <pre>
 *   number of buckets (16 bits)
 *   (lower bound (float32) | upper bound (float32) | count (varint))*
 *   underflow (varint) | overflow (varint)
 * </pre>
 *
 * <p>A varint is a long in groups of 7 bits, lowest first, a set high bit meaning that more follow;
 * a ninth byte holds all of the last 8 bits. Bytes after the overflow are skipped.
 */
public final class SimpleHistogramCodec implements HistogramCodec {
  /** OpenTSDB refuses to read anything shorter, which excludes histograms without buckets. */
  private static final int MIN_BYTES = 5;

  private static final int VARINT_BYTES = 9;
  private static final int GROUP_BITS = 7;
  private static final int GROUP_MASK = 0x7F;
  private static final int MORE = 0x80;

  @Override
  public byte[] encode(Histogram histogram) {
    if (!(histogram instanceof SimpleHistogram simple)) {
      throw new RequestException("not a simple histogram: " + histogram.getClass().getName());
    }
    try {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      DataOutputStream out = new DataOutputStream(bytes);
      out.writeShort(simple.buckets().size());
      for (Map.Entry<Bucket, Long> bucket : simple.buckets().entrySet()) {
        out.writeFloat(bucket.getKey().lower());
        out.writeFloat(bucket.getKey().upper());
        writeVarint(out, bucket.getValue());
      }
      writeVarint(out, simple.underflow());
      writeVarint(out, simple.overflow());
      if (bytes.size() < MIN_BYTES) {
        throw new RequestException("a histogram without buckets");
      }
      return bytes.toByteArray();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public SimpleHistogram decode(byte[] bytes) {
    if (bytes.length < MIN_BYTES) {
      throw new CorruptDataException(
          "Corrupted histogram: " + bytes.length + " bytes are too few for one");
    }
    ByteBuffer in = ByteBuffer.wrap(bytes);
    try {
      int count = in.getShort() & SimpleHistogram.MAX_BUCKETS;
      SortedMap<Bucket, Long> buckets = new TreeMap<>();
      for (int i = 0; i < count; i++) {
        buckets.put(new Bucket(in.getFloat(), in.getFloat()), readVarint(in));
      }
      return new SimpleHistogram(buckets, readVarint(in), readVarint(in));
    } catch (BufferUnderflowException e) {
      throw new CorruptDataException(
          "Corrupted histogram: it is cut off after " + bytes.length + " bytes");
    }
  }

  static void writeVarint(DataOutputStream out, long value) throws IOException {
    long rest = value;
    for (int i = 1; i < VARINT_BYTES; i++) {
      if ((rest & ~GROUP_MASK) == 0) {
        out.writeByte((int) rest);
        return;
      }
      out.writeByte((int) (rest & GROUP_MASK) | MORE);
      rest >>>= GROUP_BITS;
    }
    out.writeByte((int) rest);
  }

  static long readVarint(ByteBuffer in) {
    long value = 0;
    for (int i = 0; i < VARINT_BYTES - 1; i++) {
      byte next = in.get();
      value |= (long) (next & GROUP_MASK) << (GROUP_BITS * i);
      if ((next & MORE) == 0) {
        return value;
      }
    }
    return value | (long) in.get() << (GROUP_BITS * (VARINT_BYTES - 1));
  }
}
