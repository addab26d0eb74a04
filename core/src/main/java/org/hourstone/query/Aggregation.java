package org.hourstone.query;

import java.util.List;

/**
 * Makes one series of several. It has a point at every instant where one of them has; there each of
 * them that has begun and not yet ended gives its point, or what its aggregator's interpolation
 * puts between the points around.
 *
 * <p>A result is an integer unless a double goes into it. With <em>early doubles</em>, OpenTSDB's
 * way, one at hand is enough: for each series the point at or before the instant and the one after
 * it, begun or not; so a series turns to doubles one point before its first.
 */
final class Aggregation {
  /** Where a series stands: its point at or before the instant is {@code next - 1}. */
  private static final class Position {
    final PointColumn column;
    int next;

    Position(PointColumn column) {
      this.column = column;
    }

    boolean begun() {
      return next > 0;
    }

    boolean hasNext() {
      return next < column.size();
    }

    long nextMillis() {
      return hasNext() ? column.millis(next) : Long.MAX_VALUE;
    }

    /** Goes on to an instant that is not after the next point; past the last point, ends. */
    void advanceTo(long instant) {
      if (hasNext() && column.millis(next) == instant) {
        next++;
      } else if (!hasNext()) {
        next = column.size() + 1;
      }
    }

    boolean ended() {
      return next > column.size();
    }

    boolean contributes() {
      return begun() && !ended();
    }

    boolean isExact(long instant) {
      return column.millis(next - 1) == instant;
    }

    boolean hasDoubleAtHand() {
      return (contributes() && !column.isInteger(next - 1))
          || (hasNext() && !column.isInteger(next));
    }

    boolean givesDouble(long instant) {
      return contributes()
          && (!column.isInteger(next - 1) || (!isExact(instant) && !column.isInteger(next)));
    }
  }

  private final Aggregator aggregator;
  private final boolean earlyDoubles;
  private final Position[] positions;
  private final long[] longs;
  private final double[] doubles;

  private Aggregation(Aggregator aggregator, boolean earlyDoubles, List<PointColumn> series) {
    this.aggregator = aggregator;
    this.earlyDoubles = earlyDoubles;
    this.positions = series.stream().map(Position::new).toArray(Position[]::new);
    this.longs = new long[positions.length];
    this.doubles = new double[positions.length];
  }

  /** Aggregates series, which are taken in the given order: sums of doubles depend on it. */
  static PointColumn of(Aggregator aggregator, boolean earlyDoubles, List<PointColumn> series) {
    return new Aggregation(aggregator, earlyDoubles, series).run();
  }

  private PointColumn run() {
    PointColumn result = new PointColumn();
    for (long instant = earliest(); instant != Long.MAX_VALUE; instant = earliest()) {
      boolean hasDouble = false;
      for (Position position : positions) {
        position.advanceTo(instant);
        hasDouble |= earlyDoubles ? position.hasDoubleAtHand() : position.givesDouble(instant);
      }
      if (hasDouble) {
        result.addDouble(instant, ofDoubles(instant));
      } else {
        result.addLong(instant, ofLongs(instant));
      }
    }
    return result;
  }

  private long earliest() {
    long earliest = Long.MAX_VALUE;
    for (Position position : positions) {
      earliest = Math.min(earliest, position.nextMillis());
    }
    return earliest;
  }

  private long ofLongs(long instant) {
    int count = 0;
    for (Position p : positions) {
      if (p.contributes()) {
        PointColumn c = p.column;
        int i = p.next - 1;
        longs[count++] =
            p.isExact(instant)
                ? c.longValue(i)
                : aggregator
                    .interpolation()
                    .between(
                        instant, c.millis(i), c.longValue(i), c.millis(i + 1), c.longValue(i + 1));
      }
    }
    return aggregator.ofLongs(longs, count);
  }

  private double ofDoubles(long instant) {
    int count = 0;
    for (Position p : positions) {
      if (p.contributes()) {
        PointColumn c = p.column;
        int i = p.next - 1;
        doubles[count++] =
            p.isExact(instant)
                ? c.doubleValue(i)
                : aggregator
                    .interpolation()
                    .between(
                        instant,
                        c.millis(i),
                        c.doubleValue(i),
                        c.millis(i + 1),
                        c.doubleValue(i + 1));
      }
    }
    double result = aggregator.ofDoubles(doubles, count);
    if (Double.isInfinite(result)) {
      throw new ArithmeticException("Got Infinity at " + instant + " ms from " + aggregator);
    }
    return result;
  }
}
