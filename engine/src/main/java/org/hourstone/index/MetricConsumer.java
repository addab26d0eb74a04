package org.hourstone.index;

/** Receives metrics that have series. */
@FunctionalInterface
public interface MetricConsumer {
  /**
   * @param series the number of its series
   */
  void accept(byte[] metric, long series);
}
