package org.hourstone.kv.rocksdb;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.hourstone.kv.Change;
import org.hourstone.kv.CodedRow;

/**
 * The encoding of a cell's value in RocksDB: the value's bytes and their write time.
 *
 * <p>A put stores a <em>base</em> segment. An append is one blind RocksDB merge, which concatenates
 * an <em>append</em> segment to the existing value, if any. So a stored value is an optional base
 * segment followed by any number of append segments. It is read from its end: the last byte of a
 * segment, its tag, determines the segment's length. A base segment extends to the beginning of the
 * value, so it needs no length.
 *
 * <pre>
 *   base     +-- payload, 0.. bytes --+-- time, n bytes --+-- tag: 0 nnn tttt --+
 *   append   +-- payload, 1.. bytes --+-- length --+-- time, n bytes --+-- tag: 1 nnn llll --+
 * </pre>
 *
 * <p><strong>Time</strong>: milliseconds since the store's epoch, which is about when the store was
 * created; big-endian, without leading zeros. In a base segment, the lowest four bits are stored as
 * {@code tttt} in the tag instead of in the n bytes. {@code nnn = 7} marks a time before the epoch,
 * which is stored as an absolute time: 44 bits, four of them in {@code tttt} if the segment is a
 * base, so 5 bytes there and 6 in an append segment. A stamp therefore costs 4 bytes for three
 * days, 5 for two years after the store's creation, and never more than 6 in a base segment.
 *
 * <p><strong>Length</strong> of an append's payload: {@code llll} if that is 1 to 15. {@code llll =
 * 0} denotes a little-endian base-128 number written backwards, so that it is also read from its
 * end.
 *
 * <p>The cell's value is the concatenation of the payloads. Its write time is the latest of its
 * segments' times: concurrent appends may be applied in another order than that of their times, and
 * the time of a cell never decreases.
 */
final class StampedValue {
  private static final int APPEND = 0x80;
  private static final int LOW_BITS = 4;
  private static final int LOW_MASK = (1 << LOW_BITS) - 1;
  private static final int ABSOLUTE = 7;

  private StampedValue() {}

  /** A stored value that puts and appends can't have produced. */
  static final class Malformed extends Exception {
    private static final long serialVersionUID = 1L;

    private Malformed(String message) {
      super(message, null, false, false);
    }
  }

  /** The length of a base segment. */
  static int baseLength(int payloadLength, long time, long epoch) {
    return payloadLength + timeBytes(time, epoch, LOW_BITS) + 1;
  }

  /**
   * Writes a base segment.
   *
   * @param time 0 to 2^44 - 1, as is the epoch
   * @return the index after it
   */
  static int writeBase(byte[] payload, long time, long epoch, byte[] target, int at) {
    System.arraycopy(payload, 0, target, at, payload.length);
    long stored = time < epoch ? time : time - epoch;
    int bytes = timeBytes(time, epoch, LOW_BITS);
    int end = putTime(stored >>> LOW_BITS, bytes, target, at + payload.length);
    int n = time < epoch ? ABSOLUTE : bytes;
    target[end] = (byte) ((n << LOW_BITS) | (stored & LOW_MASK));
    return end + 1;
  }

  /** The length of an append segment. */
  static int appendLength(int payloadLength, long time, long epoch) {
    return payloadLength + lengthBytes(payloadLength) + timeBytes(time, epoch, 0) + 1;
  }

  /**
   * Writes an append segment.
   *
   * @param payload not empty
   * @param time 0 to 2^44 - 1, as is the epoch
   * @return the index after it
   */
  static int writeAppend(byte[] payload, long time, long epoch, byte[] target, int at) {
    System.arraycopy(payload, 0, target, at, payload.length);
    int end = at + payload.length + lengthBytes(payload.length);
    int tag = APPEND;
    if (payload.length <= LOW_MASK) {
      tag |= payload.length;
    } else {
      int rest = payload.length;
      int digit = end - 1;
      for (; rest >= 0x80; rest >>>= 7) {
        target[digit--] = (byte) (rest | 0x80);
      }
      target[digit] = (byte) rest;
    }
    int bytes = timeBytes(time, epoch, 0);
    end = putTime(time < epoch ? time : time - epoch, bytes, target, end);
    tag |= (time < epoch ? ABSOLUTE : bytes) << LOW_BITS;
    target[end] = (byte) tag;
    return end + 1;
  }

  /** The write time of a stored value of this length. */
  static long writeTime(byte[] stored, int length, long epoch) throws Malformed {
    long latest = 0;
    int end = length;
    do {
      latest = Math.max(latest, segmentTime(stored, end, epoch));
      end = payloadStart(stored, end, payloadEnd(stored, end));
    } while (end > 0);
    return latest;
  }

  /** The time of the segment that ends at {@code end}. */
  private static long segmentTime(byte[] stored, int end, long epoch) throws Malformed {
    int start = timeStart(stored, end);
    int tag = stored[end - 1];
    long time = 0;
    for (int i = start; i < end - 1; i++) {
      time = (time << Byte.SIZE) | Byte.toUnsignedLong(stored[i]);
    }
    if (!isAppend(tag)) {
      time = (time << LOW_BITS) | (tag & LOW_MASK);
    }
    if (!isAbsolute(tag)) {
      time += epoch;
    }
    if (time > Change.MAX_WRITE_TIME) {
      throw new Malformed("a stamp of " + time + " ms, more than a cell can carry");
    }
    return time;
  }

  /** The segments of a stored value of this length as coded forms, the oldest first. */
  static List<CodedRow.Form> forms(byte[] stored, int length, long epoch) throws Malformed {
    List<CodedRow.Form> forms = new ArrayList<>();
    int end = length;
    do {
      int payloadEnd = payloadEnd(stored, end);
      int start = payloadStart(stored, end, payloadEnd);
      forms.add(new CodedRow.Form(stored, start, payloadEnd, segmentTime(stored, end, epoch)));
      end = start;
    } while (end > 0);
    Collections.reverse(forms);
    return forms;
  }

  /** The payload of a stored value of this length, in a new array. */
  static byte[] payload(byte[] stored, int length) throws Malformed {
    int total = 0;
    int end = length;
    do {
      int payloadEnd = payloadEnd(stored, end);
      int start = payloadStart(stored, end, payloadEnd);
      total += payloadEnd - start;
      end = start;
    } while (end > 0);

    byte[] payload = new byte[total];
    end = length;
    do {
      int payloadEnd = payloadEnd(stored, end);
      int start = payloadStart(stored, end, payloadEnd);
      total -= payloadEnd - start;
      System.arraycopy(stored, start, payload, total, payloadEnd - start);
      end = start;
    } while (end > 0);
    return payload;
  }

  /** The end of the payload of a stored value that consists of one base segment. */
  static int baseEnd(byte[] stored, int length) throws Malformed {
    int end = timeStart(stored, length);
    if (isAppend(stored[length - 1])) {
      throw new Malformed("an append segment where only a put can be");
    }
    return end;
  }

  /**
   * The start of the payload of the segment that ends at {@code end}; the payload's end is given.
   */
  private static int payloadStart(byte[] stored, int end, int payloadEnd) throws Malformed {
    int tag = stored[end - 1];
    if (!isAppend(tag)) {
      return 0;
    }
    long length = tag & LOW_MASK;
    if (length == 0) {
      length = writtenLength(stored, timeStart(stored, end));
    }
    if (length < 1 || length > payloadEnd) {
      throw new Malformed("an append segment of " + length + " bytes where " + payloadEnd + " are");
    }
    return payloadEnd - (int) length;
  }

  /** The end of the payload of the segment that ends at {@code end}. */
  private static int payloadEnd(byte[] stored, int end) throws Malformed {
    int timeStart = timeStart(stored, end);
    int tag = stored[end - 1];
    if (!isAppend(tag) || (tag & LOW_MASK) != 0) {
      return timeStart;
    }
    int at = timeStart - 1;
    while (at >= 0 && stored[at] < 0) {
      at--;
    }
    if (at < 0) {
      throw new Malformed("an append segment's length that does not begin");
    }
    return at;
  }

  /**
   * The number written backwards that ends at {@code end}; all its bytes are known to be present.
   */
  private static long writtenLength(byte[] stored, int end) throws Malformed {
    long length = 0;
    for (int at = end - 1, shift = 0; shift <= 28; at--, shift += 7) {
      length |= (long) (stored[at] & 0x7F) << shift;
      if (stored[at] >= 0) {
        return length;
      }
    }
    throw new Malformed("an append segment's length of more than five bytes");
  }

  /** The start of the time of the segment that ends at {@code end}. */
  private static int timeStart(byte[] stored, int end) throws Malformed {
    if (end < 1) {
      throw new Malformed("empty");
    }
    int tag = stored[end - 1];
    int bytes = isAbsolute(tag) ? absoluteBytes(isAppend(tag) ? 0 : LOW_BITS) : timeCount(tag);
    int start = end - 1 - bytes;
    if (start < 0) {
      throw new Malformed("a stamp of " + (bytes + 1) + " bytes where " + end + " are");
    }
    return start;
  }

  private static boolean isAppend(int tag) {
    return (tag & APPEND) != 0;
  }

  private static boolean isAbsolute(int tag) {
    return timeCount(tag) == ABSOLUTE;
  }

  private static int timeCount(int tag) {
    return (tag >> LOW_BITS) & 7;
  }

  private static int timeBytes(long time, long epoch, int lowBits) {
    if (time < epoch) {
      return absoluteBytes(lowBits);
    }
    int bits = Long.SIZE - Long.numberOfLeadingZeros((time - epoch) >>> lowBits);
    return (bits + Byte.SIZE - 1) / Byte.SIZE;
  }

  private static int absoluteBytes(int lowBits) {
    return lowBits == 0 ? 6 : 5;
  }

  private static int lengthBytes(int payloadLength) {
    if (payloadLength <= LOW_MASK) {
      return 0;
    }
    return (Integer.SIZE - Integer.numberOfLeadingZeros(payloadLength) + 6) / 7;
  }

  private static int putTime(long time, int bytes, byte[] target, int at) {
    for (int shift = (bytes - 1) * Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
      target[at++] = (byte) (time >>> shift);
    }
    return at;
  }
}
