package org.hourstone.histogram;

import java.util.TreeMap;

/**
 * A codec of a user: it stores nothing but how much was beyond all ranges, and as many zeros as
 * were below.
 */
public final class CountCodec implements HistogramCodec {
  @Override
  public byte[] encode(Histogram histogram) {
    byte[] bytes = new byte[1 + (int) histogram.underflow()];
    bytes[0] = (byte) histogram.overflow();
    return bytes;
  }

  @Override
  public Histogram decode(byte[] bytes) {
    return new SimpleHistogram(new TreeMap<>(), bytes.length - 1L, bytes[0]);
  }
}
