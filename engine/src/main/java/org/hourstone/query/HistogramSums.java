package org.hourstone.query;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import org.hourstone.histogram.Histogram;

/** Histograms by timestamp; those that share a timestamp are added. For one thread. */
final class HistogramSums {
  /** Approximate memory of a histogram without its buckets; below, of each bucket. */
  private static final int OWN_BYTES = 200;

  private static final int BUCKET_BYTES = 100;

  private final TreeMap<Long, Histogram> byMillis = new TreeMap<>();
  private final LongConsumer memory;
  private long bytes;

  /**
   * @param memory accounts for the memory they take
   */
  HistogramSums(LongConsumer memory) {
    this.memory = memory;
  }

  /**
   * Adds a histogram.
   *
   * @throws IllegalArgumentException if a histogram of another kind has its timestamp
   */
  void add(long millis, Histogram histogram) {
    Histogram present = byMillis.get(millis);
    Histogram sum = present == null ? histogram : present.plus(histogram);
    long more = bytes(sum) - (present == null ? 0 : bytes(present));
    if (more != 0) {
      memory.accept(more);
      bytes += more;
    }
    byMillis.put(millis, sum);
  }

  void addAll(HistogramSums other) {
    other.byMillis.forEach(this::add);
  }

  void clear() {
    byMillis.clear();
    memory.accept(-bytes);
    bytes = 0;
  }

  /** Those from one timestamp on and before another; they are not copied. */
  HistogramSums between(long fromMillis, long stopMillis) {
    HistogramSums some = new HistogramSums(unheld -> {});
    byMillis.subMap(fromMillis, stopMillis).forEach(some::add);
    return some;
  }

  int size() {
    return byMillis.size();
  }

  SortedMap<Long, Histogram> all() {
    return Collections.unmodifiableSortedMap(byMillis);
  }

  private static long bytes(Histogram histogram) {
    return OWN_BYTES + (long) BUCKET_BYTES * histogram.buckets().size();
  }

  /** How much memory they take. */
  long bytes() {
    return bytes;
  }
}
