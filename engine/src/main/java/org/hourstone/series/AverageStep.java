package org.hourstone.series;

/**
 * Makes averages of sums and counts. They come in pairs: of each instant the sum, then the count.
 * What makes sums of both says which of them become one.
 */
public final class AverageStep implements ColumnStep {
  /** What is waiting to be summed, and what was. */
  private static final class Part {
    final ColumnStep step;
    final PointColumn in = new PointColumn();
    final PointColumn out = new PointColumn();

    Part(ColumnStep step) {
      this.step = step;
    }

    long bytes() {
      return step.bytes() + in.bytes() + out.bytes();
    }
  }

  private final Part sums;
  private final Part counts;

  /**
   * @param sums adds up sums
   * @param counts adds up counts, in the same way
   */
  public AverageStep(ColumnStep sums, ColumnStep counts) {
    this.sums = new Part(sums);
    this.counts = new Part(counts);
  }

  @Override
  public void accept(PointColumn pairs, PointColumn out) {
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
  public void settle(long untilMillis, PointColumn out) {
    sums.step.settle(untilMillis, sums.out);
    counts.step.settle(untilMillis, counts.out);
    divide(out);
  }

  @Override
  public void finish(PointColumn out) {
    sums.step.finish(sums.out);
    counts.step.finish(counts.out);
    divide(out);
  }

  /** The average of nothing is 0. */
  private void divide(PointColumn out) {
    for (int i = 0; i < sums.out.size(); i++) {
      double count = counts.out.doubleValue(i);
      double average = count == 0 ? 0 : sums.out.doubleValue(i) / count;
      out.addDouble(sums.out.millis(i), average);
    }
    sums.out.clear();
    counts.out.clear();
  }

  @Override
  public long bytes() {
    return sums.bytes() + counts.bytes();
  }
}
