package org.hourstone.series;

import java.util.function.IntToLongFunction;
import org.hourstone.codec.RowPoints;

/** Reduces the points of each bucket to one double. Buckets without points are omitted. */
public final class DownsampleStep implements ColumnStep {
  private final Buckets buckets;
  private final Accumulator values;
  private final long firstMillis;
  private final long endMillis;
  private boolean hasValues;

  /** The number of points in the previous bucket: regular series have the same number in each. */
  private int run = 1;

  /**
   * @param startMillis the start of the query's range
   * @param endMillis its end, which matters only for a single bucket over the whole range
   * @param scanMillis the start of the points that are read: a bucket that began earlier is dropped
   * @param memory for the points buffered for a bucket
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
    }
  }

  @Override
  public void accept(PointColumn in, PointColumn out) {
    reduce(in::millis, in.size(), out, doubles(in.doubles()));
  }

  @Override
  public void acceptRow(long baseMillis, RowPoints row, PointColumn out) {
    long[] integers = row.smallIntegers();
    reduce(
        i -> baseMillis + row.offset(i),
        row.size(),
        out,
        integers == null
            ? doubles(row.doubles())
            : (from, to) -> values.addIntegers(integers, from, to));
  }

  /** Adds values of a bucket, from an index to another one, exclusive. */
  private interface Adding {
    void add(int from, int to);
  }

  private Adding doubles(double[] all) {
    return (from, to) -> values.add(all, from, to);
  }

  private void reduce(IntToLongFunction times, int size, PointColumn out, Adding adding) {
    int i = 0;
    while (i < size) {
      long millis = times.applyAsLong(i);
      if (millis < firstMillis || millis >= endMillis) {
        i++;
        continue;
      }
      if (millis >= buckets.end()) {
        emit(out);
        buckets.moveTo(millis);
      }
      long stop = buckets.end();
      int to = i + run <= size && times.applyAsLong(i + run - 1) < stop ? i + run : i + 1;
      while (to < size && times.applyAsLong(to) < stop) {
        to++;
      }
      adding.add(i, to);
      hasValues = true;
      run = to - i;
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

  /** A single bucket over the whole range. */
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
