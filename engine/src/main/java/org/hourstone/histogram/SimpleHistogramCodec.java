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
import org.jspecify.annotations.Nullable;

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
    return decode(bytes, false);
  }

  /**
   * Decodes bytes that are those which {@link #encode} returns for the result, a histogram as in
   * {@link HistogramText#add}.
   *
   * @throws CorruptDataException if they are others; the message says where
   */
  SimpleHistogram decodeExactly(byte[] bytes) {
    return decode(bytes, true);
  }

  private static SimpleHistogram decode(byte[] bytes, boolean exactly) {
    if (bytes.length < MIN_BYTES) {
      throw corrupt(bytes.length + " bytes are too few for one");
    }
    ByteBuffer in = ByteBuffer.wrap(bytes);
    try {
      int count = in.getShort() & SimpleHistogram.MAX_BUCKETS;
      SortedMap<Bucket, Long> buckets = new TreeMap<>();
      for (int i = 0; i < count; i++) {
        int at = in.position();
        Bucket bucket = new Bucket(in.getFloat(), in.getFloat());
        if (exactly) {
          check(bucket, buckets.isEmpty() ? null : buckets.lastKey(), at);
        }
        buckets.put(bucket, exactly ? readCount(in) : readVarint(in));
      }
      long underflow = exactly ? readCount(in) : readVarint(in);
      long overflow = exactly ? readCount(in) : readVarint(in);
      if (exactly && in.hasRemaining()) {
        throw corrupt(in.remaining() + " bytes after its end, at byte " + in.position());
      }
      return new SimpleHistogram(buckets, underflow, overflow);
    } catch (BufferUnderflowException e) {
      throw corrupt("it is cut off after " + bytes.length + " bytes");
    }
  }

  private static void check(Bucket bucket, @Nullable Bucket before, int at) {
    int order = before == null ? 1 : bucket.compareTo(before);
    String fault = bucket.fault();
    if (fault == null && order <= 0) {
      fault = order == 0 ? "is given twice" : "is below the one before it";
    }
    if (fault != null) {
      throw corrupt("the bucket " + bucket + " at byte " + at + " " + fault);
    }
  }

  private static long readCount(ByteBuffer in) {
    int at = in.position();
    long count = readVarint(in);
    if (count < 0) {
      throw corrupt("the count at byte " + at + " is negative: " + count);
    }
    if (in.position() > at + 1 && in.get(in.position() - 1) == 0) {
      throw corrupt("the count at byte " + at + " has more bytes than it needs");
    }
    return count;
  }

  private static CorruptDataException corrupt(String fault) {
    return new CorruptDataException("Corrupted histogram: " + fault);
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
