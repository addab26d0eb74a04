package org.hourstone.histogram;

import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.hourstone.error.RequestException;

/** Histograms as written in requests. See {@code docs/format/histogram.md#text}. */
public final class HistogramText {
  private static final String UNDERFLOW = "u";
  private static final String OVERFLOW = "o";

  private HistogramText() {}

  /**
   * The histogram of a text {@code u=1:o=2:0,1.75=12:1.75,3.5=16}: underflow, overflow and buckets
   * with their counts, in any order.
   *
   * @param strict as in {@link #add}
   * @throws RequestException if it is malformed; the message says where
   */
  public static SimpleHistogram parse(String text, boolean strict) {
    SortedMap<Bucket, Long> buckets = new TreeMap<>();
    Map<String, Long> beyond = new HashMap<>();
    for (String part : text.split(":", -1)) {
      int equals = part.indexOf('=');
      if (equals < 0) {
        throw new RequestException("histogram: '" + part + "' has no count");
      }
      String range = part.substring(0, equals);
      long count = count(part, part.substring(equals + 1));
      if (!range.equals(UNDERFLOW) && !range.equals(OVERFLOW)) {
        add(buckets, range, count, strict);
      } else if (beyond.put(range, checked(range, count, strict)) != null && !strict) {
        throw new RequestException("histogram: '" + range + "' is given twice");
      }
    }
    return new SimpleHistogram(
        buckets, beyond.getOrDefault(UNDERFLOW, 0L), beyond.getOrDefault(OVERFLOW, 0L));
  }

  /**
   * Adds a range such as {@code 0,1.75} and its count to those of a histogram.
   *
   * @param strict whether any count and bound is taken, and of two counts the last, as by OpenTSDB
   * @throws RequestException if it is malformed, or, unless strict, negative, not finite, or there
   *     already, perhaps in another spelling
   */
  public static void add(Map<Bucket, Long> buckets, String range, long count, boolean strict) {
    Bucket bucket = Bucket.parse(range, strict);
    if (!strict && !bucket.isFinite()) {
      throw new RequestException("bucket '" + range + "': not finite; what is beyond is overflow");
    }
    if (buckets.put(bucket, checked(range, count, strict)) != null && !strict) {
      throw new RequestException("histogram: the bucket '" + range + "' is given twice");
    }
  }

  /**
   * A count.
   *
   * @param what is counted, for the error
   * @param strict as in {@link #add}
   * @throws RequestException if it is negative, unless strict
   */
  public static long checked(String what, long count, boolean strict) {
    if (count < 0 && !strict) {
      throw new RequestException("histogram: '" + what + "': its count is negative: " + count);
    }
    return count;
  }

  private static long count(String part, String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new RequestException("histogram: '" + part + "': its count is not a number", e);
    }
  }

  /**
   * The bytes of a text in Base64.
   *
   * @throws RequestException if it is not Base64
   */
  public static byte[] bytes(String base64) {
    try {
      return Base64.getDecoder().decode(base64);
    } catch (IllegalArgumentException e) {
      throw new RequestException("histogram: not Base64: " + e.getMessage(), e);
    }
  }
}
