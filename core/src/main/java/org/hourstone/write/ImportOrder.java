package org.hourstone.write;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Remembers of each series the latest instant imported, in bounded memory. A point after it can't
 * repeat an earlier one; any other has to be looked up. A series that was forgotten is taken as one
 * whose points have to be looked up. Not thread-safe.
 */
final class ImportOrder {
  /** What {@link #latest} says of a series that may have been seen before. */
  static final long FORGOTTEN = Long.MAX_VALUE;

  private final int capacity;
  private final LinkedHashMap<Series, Long> latest = new LinkedHashMap<>(16, 0.75f, true);
  private boolean forgetful;

  ImportOrder(int capacity) {
    this.capacity = capacity;
  }

  /** The latest instant of the series; {@link Long#MIN_VALUE} for a new one. */
  long latest(Series series) {
    Long known = latest.get(series);
    return known != null ? known : forgetful ? FORGOTTEN : Long.MIN_VALUE;
  }

  void advance(Series series, long millis) {
    latest.merge(series, millis, Math::max);
    if (latest.size() > capacity) {
      Map.Entry<Series, Long> eldest = latest.entrySet().iterator().next();
      latest.remove(eldest.getKey());
      forgetful = true;
    }
  }
}
