package org.hourstone.expression;

import java.util.function.IntToDoubleFunction;
import java.util.function.IntToLongFunction;

/** The values of a column, read in the order of time. Not thread-safe. */
final class Values {
  private final int size;
  private final IntToLongFunction times;
  private final IntToDoubleFunction values;
  private int next;

  /**
   * @param times in milliseconds since the epoch, ascending, by their indices from 0
   */
  Values(int size, IntToLongFunction times, IntToDoubleFunction values) {
    this.size = size;
    this.times = times;
    this.values = values;
  }

  /** Whether there is a value at a timestamp, which must not be before the last one requested. */
  boolean moveTo(long millis) {
    while (next < size && times.applyAsLong(next) < millis) {
      next++;
    }
    return next < size && times.applyAsLong(next) == millis;
  }

  /** The value at the timestamp it was moved to. */
  double value() {
    return values.applyAsDouble(next);
  }
}
