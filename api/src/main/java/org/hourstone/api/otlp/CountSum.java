package org.hourstone.api.otlp;

/** A sum of counts without a sign, which may be too many. */
final class CountSum {
  static final String TOO_MANY = "the histogram has more values than 64 bits can count";

  private long sum;
  private boolean isTooMany;

  void clear() {
    sum = 0;
    isTooMany = false;
  }

  void add(long count) {
    sum += count;
    isTooMany |= Long.compareUnsigned(sum, count) < 0;
  }

  long sum() {
    return sum;
  }

  boolean isTooMany() {
    return isTooMany;
  }
}
