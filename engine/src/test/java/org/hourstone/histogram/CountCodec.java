package org.hourstone.histogram;

import java.util.TreeMap;

/** A codec of a user: it stores nothing but how much was beyond all ranges. */
public final class CountCodec implements HistogramCodec {
  @Override
  public byte[] encode(Histogram histogram) {
    return new byte[] {(byte) histogram.overflow()};
  }

  @Override
  public Histogram decode(byte[] bytes) {
    return new SimpleHistogram(new TreeMap<>(), 0, bytes[0]);
  }
}
