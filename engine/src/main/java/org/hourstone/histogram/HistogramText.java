package org.hourstone.histogram;

import java.util.Base64;
import java.util.SortedMap;
import java.util.TreeMap;
import org.hourstone.error.RequestException;

/** Histograms as written in requests. See {@code docs/format/histogram.md#text}. */
public final class HistogramText {
  private HistogramText() {}

  /**
   * The histogram of a text {@code u=1:o=2:0,1.75=12:1.75,3.5=16}: underflow, overflow and buckets
   * with their counts, in any order.
   *
   * @throws RequestException if it is malformed; the message says where
   */
  public static SimpleHistogram parse(String text) {
    SortedMap<Bucket, Long> buckets = new TreeMap<>();
    long underflow = 0;
    long overflow = 0;
    for (String part : text.split(":", -1)) {
      int equals = part.indexOf('=');
      if (equals < 0) {
        throw new RequestException("histogram: '" + part + "' has no count");
      }
      long count = count(part, part.substring(equals + 1));
      switch (part.substring(0, equals)) {
        case "u" -> underflow = count;
        case "o" -> overflow = count;
        default -> buckets.put(Bucket.parse(part.substring(0, equals)), count);
      }
    }
    return new SimpleHistogram(buckets, underflow, overflow);
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
