package org.hourstone.testing.reference;

import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Changes per second.
 *
 * @param counter whether a decrease means that the counter began again
 * @param max the counter's largest value
 * @param reset a rate above this is taken for 0; not if it is 0
 * @param dropResets whether there is no rate where the counter began again
 */
record Rates(boolean counter, long max, long reset, boolean dropResets) {
  static final Rates PLAIN = new Rates(false, Long.MAX_VALUE, 0, false);

  /** The rates by the time of the later one of two points; none for the first point. */
  NavigableMap<Long, Number> of(NavigableMap<Long, Number> points, Mode mode) {
    NavigableMap<Long, Number> rates = new TreeMap<>();
    for (Map.Entry<Long, Number> point : points.entrySet()) {
      Map.Entry<Long, Number> before = points.lowerEntry(point.getKey());
      if (before != null) {
        boolean began = counter && change(before.getValue(), point.getValue(), false, mode) < 0;
        if (!began || !dropResets) {
          rates.put(point.getKey(), rate(before, point, began, mode));
        }
      }
    }
    return rates;
  }

  /** As {@link #of}, but that a 0 at the beginning of 1970 is taken for the first point. */
  NavigableMap<Long, Number> sinceTheBeginning(NavigableMap<Long, Number> points, Mode mode) {
    NavigableMap<Long, Number> more = new TreeMap<>(points);
    more.put(0L, points.firstEntry().getValue() instanceof Long ? (Number) 0L : (Number) 0.0);
    return of(more, mode);
  }

  private double rate(
      Map.Entry<Long, Number> before, Map.Entry<Long, Number> point, boolean began, Mode mode) {
    double seconds = (point.getKey() - before.getKey()) / 1000.0;
    double rate = change(before.getValue(), point.getValue(), began, mode) / seconds;
    return began && reset > 0 && rate > reset ? 0.0 : rate;
  }

  private double change(Number from, Number to, boolean began, Mode mode) {
    if (from instanceof Long one && to instanceof Long other) {
      long more = began ? max : 0;
      return mode.wrappedIntegers() ? more - one + other : Exact.change(one, other, more);
    }
    return began
        ? max - from.doubleValue() + to.doubleValue()
        : to.doubleValue() - from.doubleValue();
  }
}
