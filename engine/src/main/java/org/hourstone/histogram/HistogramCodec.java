package org.hourstone.histogram;

/**
 * Encodes and decodes histograms of one kind. Found by {@link java.util.ServiceLoader}; the
 * settings assign an id to its class name. Thread-safe.
 */
public interface HistogramCodec {
  /**
   * Encodes a histogram, without the id that precedes it in a cell.
   *
   * @throws org.hourstone.error.RequestException if it is not of this codec's kind
   */
  byte[] encode(Histogram histogram);

  /**
   * Decodes a histogram.
   *
   * @param bytes without the id that precedes them in a cell
   * @throws org.hourstone.codec.CorruptDataException if {@link #encode} can't have produced them
   */
  Histogram decode(byte[] bytes);
}
