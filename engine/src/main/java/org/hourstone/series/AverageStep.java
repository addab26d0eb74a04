package org.hourstone.series;

/**
 * Computes averages from sums and counts. The input is pairs: for each timestamp a sum, then a
 * count. The steps that add up sums and counts determine which pairs are combined.
 */
public final class AverageStep implements ColumnStep {
  /** Input waiting to be summed, and sums. */
  private static final class Part {
    final ColumnStep step;
    final PointColumn in;
    final PointColumn out;

    Part(ColumnStep step, MemoryLease memory) {
      this.step = step;
      this.in = new PointColumn(memory);
      this.out = new PointColumn(memory);
    }
  }

  private final Part sums;
  private final Part counts;

  /**
   * @param sums adds up sums
   * @param counts adds up counts in the same way
   * @param memory of points that wait for others
   */
  public AverageStep(ColumnStep sums, ColumnStep counts, MemoryLease memory) {
    this.sums = new Part(sums, memory);
    this.counts = new Part(counts, memory);
  }

  @Override
  public void accept(PointColumn pairs, PointColumn out) {
    sums.in.reserve(pairs.size() / 2);
    counts.in.reserve(pairs.size() / 2);
    for (int i = 0; i + 1 < pairs.size(); i += 2) {
      sums.in.addDouble(pairs.millis(i), pairs.doubleValue(i));
      counts.in.addDouble(pairs.millis(i + 1), pairs.doubleValue(i + 1));
    }
    sums.step.accept(sums.in, sums.out);
    counts.step.accept(counts.in, counts.out);
    sums.in.clear();
    counts.in.clear();
    divide(out);
  }

  @Override
  public boolean settle(long untilMillis, PointColumn out) {
    boolean open = sums.step.settle(untilMillis, sums.out);
    open |= counts.step.settle(untilMillis, counts.out);
    divide(out);
    return open;
  }

  @Override
  public void finish(PointColumn out) {
    sums.step.finish(sums.out);
    counts.step.finish(counts.out);
    divide(out);
  }

  /** Divides sums by counts. If a count is 0, the average is 0. */
  private void divide(PointColumn out) {
    out.reserve(sums.out.size());
    for (int i = 0; i < sums.out.size(); i++) {
      double count = counts.out.doubleValue(i);
      double average = count == 0 ? 0 : sums.out.doubleValue(i) / count;
      out.addDouble(sums.out.millis(i), average);
    }
    sums.out.clear();
    counts.out.clear();
  }
}
