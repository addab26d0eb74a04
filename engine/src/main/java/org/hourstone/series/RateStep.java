package org.hourstone.series;

/**
 * Computes changes per second, each at the timestamp of the later value; so the first point of the
 * hours read yields no rate.
 *
 * <p>If the first rate is {@linkplain Aggregation held}, the first point does yield a rate, as in
 * OpenTSDB: the change since a value of 0 at the epoch.
 */
public final class RateStep implements ColumnStep {
  private final RateOptions options;
  private boolean begun;
  private long lastMillis;
  private long lastLong;
  private double lastDouble;
  private boolean lastIsInteger = true;

  public RateStep(RateOptions options, boolean heldFirstRate) {
    this.options = options;
    this.begun = heldFirstRate;
  }

  @Override
  public void accept(PointColumn in, PointColumn out) {
    for (int i = 0; i < in.size(); i++) {
      if (begun) {
        addRate(in, i, out);
      }
      begun = true;
      lastMillis = in.millis(i);
      lastIsInteger = in.isInteger(i);
      lastLong = in.bits(i);
      lastDouble = in.doubleValue(i);
    }
  }

  /**
   * @throws IllegalStateException if the point is not later than the previous one
   */
  private void addRate(PointColumn in, int i, PointColumn out) {
    long millis = in.millis(i);
    if (millis <= lastMillis) {
      throw new IllegalStateException(
          "Next timestamp ("
              + millis
              + ") is supposed to be strictly greater than the previous one ("
              + lastMillis
              + "), but it's not");
    }
    boolean integers = lastIsInteger && in.isInteger(i);
    double seconds = (millis - lastMillis) / 1000.0;
    double change = integers ? in.bits(i) - lastLong : in.doubleValue(i) - lastDouble;
    if (!options.counter() || !(change < 0)) {
      out.addDouble(millis, change / seconds);
    } else if (!options.dropResets()) {
      double growth =
          integers
              ? options.counterMax() - lastLong + in.bits(i)
              : options.counterMax() - lastDouble + in.doubleValue(i);
      double rate = growth / seconds;
      boolean reset = options.resetValue() > 0 && rate > options.resetValue();
      out.addDouble(millis, reset ? 0 : rate);
    }
  }

  @Override
  public boolean settle(long untilMillis, PointColumn out) {
    return false; // nothing is buffered: each point yields its rate as it arrives
  }

  @Override
  public void finish(PointColumn out) {
    // As above.
  }
}
