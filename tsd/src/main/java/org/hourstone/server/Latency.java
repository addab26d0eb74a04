package org.hourstone.server;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/** How long something took, as a histogram. Thread-safe. */
final class Latency {
  private static final double NANOS = 1e9;
  private static final double[] BOUNDS = {
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30
  };

  /**
   * How many took this long at most.
   *
   * @param seconds infinite for all
   */
  record Bucket(double seconds, long count) {}

  private final List<LongAdder> counts = new ArrayList<>();
  private final LongAdder nanos = new LongAdder();

  Latency() {
    for (int i = 0; i <= BOUNDS.length; i++) {
      counts.add(new LongAdder());
    }
  }

  void took(long time) {
    int bucket = 0;
    while (bucket < BOUNDS.length && time > BOUNDS[bucket] * NANOS) {
      bucket++;
    }
    counts.get(bucket).increment();
    nanos.add(time);
  }

  /** In ascending order; the last has the count of all. */
  List<Bucket> buckets() {
    List<Bucket> buckets = new ArrayList<>();
    long count = 0;
    for (int i = 0; i <= BOUNDS.length; i++) {
      count += counts.get(i).sum();
      buckets.add(new Bucket(i < BOUNDS.length ? BOUNDS[i] : Double.POSITIVE_INFINITY, count));
    }
    return buckets;
  }

  long count() {
    return counts.stream().mapToLong(LongAdder::sum).sum();
  }

  double seconds() {
    return nanos.sum() / NANOS;
  }
}
