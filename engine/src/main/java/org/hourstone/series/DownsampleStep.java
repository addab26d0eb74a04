package org.hourstone.series;

/** Reduces the points of each bucket to one double. Buckets without points are omitted. */
public final class DownsampleStep implements ColumnStep {
  private final Buckets buckets;
  private final Accumulator values;
  private final long firstMillis;
  private final long endMillis;
  private boolean hasValues;

  /**
   * @param startMillis the start of the query's range
   * @param endMillis its end, which matters only for a single bucket over the whole range
   * @param scanMillis where reading starts: a bucket that began earlier is dropped
   * @param memory of the points kept for a bucket
   */
  public DownsampleStep(
      Downsample downsample,
      long startMillis,
      long endMillis,
      long scanMillis,
      MemoryLease memory) {
    this.values = downsample.aggregator().overDoubles(memory);
    if (downsample.isAll()) {
      this.buckets = new OneBucket(startMillis, endMillis);
      this.firstMillis = startMillis;
      this.endMillis = endMillis;
    } else {
      this.buckets = Buckets.of(downsample);
      this.firstMillis = Buckets.firstStart(downsample, scanMillis);
      this.endMillis = Long.MAX_VALUE;
      if (downsample.fill() != FillPolicy.NONE) {
        buckets.moveTo(scanMillis); // all series have the same buckets then
      }
    }
  }

  @Override
  public void accept(PointColumn in, PointColumn out) {
    double[] doubles = in.doubles();
    int i = 0;
    while (i < in.size()) {
      long millis = in.millis(i);
      if (millis < firstMillis || millis >= endMillis) {
        i++;
        continue;
      }
      if (millis >= buckets.end()) {
        emit(out);
        buckets.moveTo(millis);
      }
      int to = i + 1;
      while (to < in.size() && in.millis(to) < buckets.end()) {
        to++;
      }
      values.add(doubles, i, to);
      hasValues = true;
      i = to;
    }
  }

  private void emit(PointColumn out) {
    if (hasValues) {
      out.addDouble(buckets.start(), values.take());
      hasValues = false;
    }
  }

  @Override
  public boolean settle(long untilMillis, PointColumn out) {
    if (buckets.end() <= untilMillis) {
      emit(out);
    }
    return hasValues;
  }

  @Override
  public void finish(PointColumn out) {
    emit(out);
  }

  /** The bucket of the whole range. */
  private static final class OneBucket extends Buckets {
    OneBucket(long start, long end) {
      set(start, end);
    }

    @Override
    void leaveFor(long millis) {
      throw new IllegalArgumentException(millis + " ms is not in the range");
    }
  }
}
