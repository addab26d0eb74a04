package org.hourstone.series;

import java.util.Set;

/**
 * Computes changes per second, each at the timestamp of the later value; so the first point of the
 * hours read yields no rate.
 *
 * <p>If the first rate is {@linkplain Aggregation held}, the first point does yield a rate, as in
 * OpenTSDB: the change since a value of 0 at the epoch.
 */
public final class RateStep implements ColumnStep {
  private final RateOptions options;
  private final boolean wraps;
  private boolean begun;
  private long lastMillis;
  private long lastLong;
  private double lastDouble;
  private boolean lastIsInteger = true;

  /**
   * @param quirks those of the {@link Aggregation}
   */
  public RateStep(RateOptions options, Set<NumberQuirk> quirks) {
    this.options = options;
    this.wraps = quirks.contains(NumberQuirk.WRAPPED_INTEGERS);
    this.begun = quirks.contains(NumberQuirk.HELD_FIRST_RATE);
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
    double change = integers ? change(in.bits(i)) : in.doubleValue(i) - lastDouble;
    if (!options.counter() || !(change < 0)) {
      out.addDouble(millis, change / seconds);
    } else if (!options.dropResets()) {
      double growth =
          integers ? growth(in.bits(i)) : options.counterMax() - lastDouble + in.doubleValue(i);
      double rate = growth / seconds;
      boolean reset = options.resetValue() > 0 && rate > options.resetValue();
      out.addDouble(millis, reset ? 0 : rate);
    }
  }

  private double change(long value) {
    return wraps ? value - lastLong : ExactSum.difference(value, lastLong);
  }

  /** The change of a counter that wrapped around. */
  private double growth(long value) {
    if (wraps) {
      return options.counterMax() - lastLong + value;
    }
    ExactSum growth = new ExactSum();
    growth.add(options.counterMax());
    growth.subtract(lastLong);
    growth.add(value);
    return growth.value().doubleValue();
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
