package org.hourstone.query.rows;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.hourstone.histogram.Histogram;
import org.hourstone.series.MemoryLease;

/** Histograms by timestamp; those that share a timestamp are added. For one thread. */
public final class HistogramSums {
  /** Approximate memory of a histogram without its buckets; below, of each bucket. */
  private static final int OWN_BYTES = 200;

  private static final int BUCKET_BYTES = 100;

  /** Empty until the first is added, since most queries have none. */
  private SortedMap<Long, Histogram> byMillis = Collections.emptySortedMap();

  private final MemoryLease memory;

  public HistogramSums(MemoryLease memory) {
    this.memory = memory;
  }

  /**
   * Adds a histogram.
   *
   * @throws org.hourstone.error.RequestException if a histogram of another kind has its timestamp
   */
  public void add(long millis, Histogram histogram) {
    Histogram present = byMillis.get(millis);
    Histogram sum = present == null ? histogram : present.plus(histogram);
    if (present != null) {
      memory.shrink(bytes(present));
    }
    memory.grow(bytes(sum));
    if (byMillis.isEmpty()) {
      byMillis = new TreeMap<>();
    }
    byMillis.put(millis, sum);
  }

  public void addAll(HistogramSums other) {
    other.byMillis.forEach(this::add);
  }

  public void clear() {
    byMillis.values().forEach(each -> memory.shrink(bytes(each)));
    byMillis = Collections.emptySortedMap();
  }

  /** Drops those before one timestamp, and from another on. */
  public void keep(long fromMillis, long stopMillis) {
    if (!byMillis.isEmpty()) {
      drop(byMillis.headMap(fromMillis));
      drop(byMillis.tailMap(stopMillis));
    }
  }

  private void drop(SortedMap<Long, Histogram> some) {
    some.values().forEach(each -> memory.shrink(bytes(each)));
    some.clear();
  }

  public int size() {
    return byMillis.size();
  }

  public SortedMap<Long, Histogram> all() {
    return Collections.unmodifiableSortedMap(byMillis);
  }

  private static long bytes(Histogram histogram) {
    return OWN_BYTES + (long) BUCKET_BYTES * histogram.buckets().size();
  }
}
