package org.hourstone.histogram;

/**
 * Turns histograms of one kind into bytes and back. Found by {@link java.util.ServiceLoader}, and
 * named in the settings by its class name, which gives it its id. Thread-safe.
 */
public interface HistogramCodec {
  /**
   * The bytes of a histogram, without the id that stands before them in a cell.
   *
   * @throws IllegalArgumentException if it is not of this codec's kind
   */
  byte[] encode(Histogram histogram);

  /**
   * The histogram of these bytes.
   *
   * @param bytes without the id that stands before them in a cell
   * @throws org.hourstone.codec.CorruptDataException if they are not what {@link #encode} makes
   */
  Histogram decode(byte[] bytes);
}
