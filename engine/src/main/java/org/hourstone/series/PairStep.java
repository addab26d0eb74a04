package org.hourstone.series;

import org.hourstone.codec.RowPoints;

/**
 * Computes pairs of a sum and a count of each interval, as {@link AverageStep} takes them: for each
 * timestamp a sum, then a count.
 */
public final class PairStep implements ColumnStep {
  private final ColumnStep sums;
  private final ColumnStep counts;
  private final PointColumn sum;
  private final PointColumn count;

  /**
   * @param sums adds up points
   * @param counts counts them in the same intervals
   * @param memory of what waits to be paired
   */
  public PairStep(ColumnStep sums, ColumnStep counts, MemoryLease memory) {
    this.sums = sums;
    this.counts = counts;
    this.sum = new PointColumn(memory);
    this.count = new PointColumn(memory);
  }

  @Override
  public void accept(PointColumn in, PointColumn out) {
    sums.accept(in, sum);
    counts.accept(in, count);
    pair(out);
  }

  @Override
  public void acceptRow(long baseMillis, RowPoints row, PointColumn out) {
    sums.acceptRow(baseMillis, row, sum);
    counts.acceptRow(baseMillis, row, count);
    pair(out);
  }

  @Override
  public boolean settle(long untilMillis, PointColumn out) {
    boolean open = sums.settle(untilMillis, sum);
    open |= counts.settle(untilMillis, count);
    pair(out);
    return open;
  }

  @Override
  public void finish(PointColumn out) {
    sums.finish(sum);
    counts.finish(count);
    pair(out);
  }

  private void pair(PointColumn out) {
    for (int i = 0; i < sum.size(); i++) {
      out.addDouble(sum.millis(i), sum.doubleValue(i));
      out.addDouble(count.millis(i), count.doubleValue(i));
    }
    sum.clear();
    count.clear();
  }
}
