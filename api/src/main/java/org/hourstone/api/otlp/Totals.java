package org.hourstone.api.otlp;

/** What a data point of a histogram has beside its buckets; all but the count may be absent. */
final class Totals {
  long count;
  private double sum;
  private double min;
  private double max;
  private boolean hasSum;
  private boolean hasMin;
  private boolean hasMax;

  void clear() {
    count = 0;
    hasSum = false;
    hasMin = false;
    hasMax = false;
  }

  void sum(double value) {
    sum = value;
    hasSum = true;
  }

  void min(double value) {
    min = value;
    hasMin = true;
  }

  void max(double value) {
    max = value;
    hasMax = true;
  }

  void addTo(DataPoint point) {
    point.addCount(Part.COUNT, count);
    if (hasSum) {
      point.add(Part.SUM, sum);
    }
    if (hasMin) {
      point.add(Part.MIN, min);
    }
    if (hasMax) {
      point.add(Part.MAX, max);
    }
  }
}
