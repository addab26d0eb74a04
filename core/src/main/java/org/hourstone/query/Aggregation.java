package org.hourstone.query;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Makes one series of several, bit by bit as their points come in. It has a point at every instant
 * where one of them has; there each of them that has begun and not yet ended gives its point, or
 * what its aggregator's interpolation puts between the points around. Rates are never interpolated:
 * the one before holds. Series are taken in the order of their keys: sums of doubles depend on it.
 *
 * <p>A result is an integer unless a double goes into it. With <em>early doubles</em>, OpenTSDB's
 * way, one at hand is enough: for each series the point at or before the instant and the one after
 * it, begun or not; so a series turns to doubles one point before its first.
 *
 * <p>With a <em>held first rate</em>, also OpenTSDB's way, the first rate of each series stands for
 * no instant, and is what the series gives at every instant before its second; a series with no
 * second gives nothing.
 *
 * <p>Results come out before the end only if no later series can change them. Early doubles of
 * points as they were written, held first rates, and buckets filled with what counts keep all of
 * them to the end. For one thread.
 */
final class Aggregation {
  private final Aggregator aggregator;
  private final Interpolation interpolation;
  private final boolean earlyDoubles;
  private final boolean heldFirstRate;
  private final boolean atOnce;
  private final Accumulator accumulator;
  private final LongConsumer memory;
  private final List<Member> members = new ArrayList<>(1);
  private boolean sorted = true;
  private boolean ended;
  private long lastMillis = Long.MIN_VALUE;
  private long[] longs = {};
  private double[] doubles = {};

  /**
   * @param downsample what the series' points come from, or null
   * @param rate whether they are rates
   * @param earlyDoubles as above
   * @param heldFirstRate as above; {@link RateStep} must be told the same
   * @param memory is told of the memory the series' points take
   */
  Aggregation(
      Aggregator aggregator,
      @Nullable Downsample downsample,
      boolean rate,
      boolean earlyDoubles,
      boolean heldFirstRate,
      LongConsumer memory) {
    this.aggregator = aggregator;
    this.memory = memory;
    this.interpolation = rate ? Interpolation.PREVIOUS : aggregator.interpolation();
    this.earlyDoubles = earlyDoubles;
    this.heldFirstRate = rate && heldFirstRate;
    this.accumulator = aggregator.overDoubles();
    this.atOnce =
        this.heldFirstRate
            || (earlyDoubles && downsample == null && !rate)
            || (downsample != null && lateSeriesCount(downsample));
  }

  /** Whether filled buckets of a series that is found late change what came before. */
  private boolean lateSeriesCount(Downsample downsample) {
    return switch (downsample.fill()) {
      case NONE -> false;
      case NAN, NULL -> !aggregator.passesOverNaN();
      case ZERO, SCALAR -> true;
    };
  }

  /** Aggregates series that are known from first to last, in this order. */
  static PointColumn of(Aggregator aggregator, boolean earlyDoubles, List<PointColumn> series) {
    Aggregation aggregation =
        new Aggregation(aggregator, null, false, earlyDoubles, false, bytes -> {});
    series.forEach(column -> aggregation.add(new byte[0]).addAll(column));
    PointColumn out = new PointColumn();
    aggregation.finish(out);
    return out;
  }

  /**
   * Adds a series.
   *
   * @param order its place among the others
   * @return where its points are to be put as they come; they are taken from there
   */
  PointColumn add(byte[] order) {
    Member member = new Member(order);
    sorted &=
        members.isEmpty()
            || Arrays.compareUnsigned(members.get(members.size() - 1).order, order) <= 0;
    members.add(member);
    return member.column;
  }

  /**
   * Adds the results that are decided.
   *
   * @param untilMillis before this instant no series, not even one that is still to be found, gets
   *     another point
   */
  void advance(long untilMillis, PointColumn out) {
    if (!atOnce) {
      run(untilMillis, out);
    }
  }

  /** Adds all other results: the series have ended. */
  void finish(PointColumn out) {
    ended = true;
    run(Long.MAX_VALUE, out);
  }

  private void run(long until, PointColumn out) {
    prepare();
    for (long instant = earliest(); instant < until; instant = earliest()) {
      boolean hasDouble = false;
      for (Member member : members) {
        member.advanceTo(instant);
        hasDouble |= earlyDoubles ? member.hasDoubleAtHand() : member.givesDouble(instant);
      }
      if (hasDouble) {
        out.addDouble(instant, ofDoubles(instant));
      } else {
        out.addLong(instant, ofLongs(instant));
      }
      lastMillis = instant;
    }
    members.forEach(Member::forget);
  }

  private void prepare() {
    if (!sorted) {
      members.sort((one, other) -> Arrays.compareUnsigned(one.order, other.order));
      sorted = true;
    }
    if (longs.length < members.size()) {
      longs = new long[members.size()];
      doubles = new double[members.size()];
    }
    for (Member member : members) {
      member.begin();
    }
  }

  /** The next instant, or {@link Long#MAX_VALUE} if none is decided. */
  private long earliest() {
    long earliest = Long.MAX_VALUE;
    for (Member member : members) {
      if (!ended && member.isOpen()) {
        return Long.MAX_VALUE;
      }
      earliest = Math.min(earliest, member.nextMillis());
    }
    return earliest;
  }

  private long ofLongs(long instant) {
    int count = 0;
    for (Member member : members) {
      if (member.contributes()) {
        longs[count++] = member.longAt(instant);
      }
    }
    return aggregator.overLongs().of(longs, count);
  }

  private double ofDoubles(long instant) {
    int count = 0;
    for (Member member : members) {
      if (member.contributes()) {
        doubles[count++] = member.doubleAt(instant);
      }
    }
    accumulator.add(doubles, 0, count);
    double result = accumulator.take();
    if (Double.isInfinite(result)) {
      throw new ArithmeticException("Got Infinity at " + instant + " ms from " + aggregator);
    }
    return result;
  }

  /** A series, and where it stands: its point at or before the instant is {@code next - 1}. */
  private final class Member {
    final byte[] order;
    final PointColumn column = new PointColumn(memory);
    int next;

    Member(byte[] order) {
      this.order = order;
    }

    /** Passes over what is not to be seen of a series that has not begun. */
    void begin() {
      if (next == 0 && heldFirstRate && !column.isEmpty()) {
        next = 1;
        if (column.size() == 1) {
          column.clear();
          next = 0;
        }
      } else if (next == 0 && lastMillis != Long.MIN_VALUE) {
        column.dropFirst(column.firstFrom(lastMillis + 1)); // filled, with what doesn't count
      }
    }

    /** Lets go of points that are not needed any more. */
    void forget() {
      if (next > 1) {
        int drop = Math.min(next, column.size()) - 1;
        column.dropFirst(drop);
        next -= drop;
      }
    }

    boolean hasNext() {
      return next < column.size();
    }

    /** Whether it is not known what comes after its last point. */
    boolean isOpen() {
      return next > 0 && next == column.size();
    }

    long nextMillis() {
      return hasNext() ? column.millis(next) : Long.MAX_VALUE;
    }

    /** Goes on to an instant that is not after the next point; past the last point, ends. */
    void advanceTo(long instant) {
      if (isOpen()) {
        next++;
      } else if (nextMillis() == instant) {
        next++;
      }
    }

    boolean contributes() {
      return next > 0 && next <= column.size();
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

    long longAt(long instant) {
      int i = next - 1;
      return isExact(instant)
          ? column.longValue(i)
          : interpolation.between(
              instant,
              column.millis(i),
              column.longValue(i),
              column.millis(next),
              column.longValue(next));
    }

    double doubleAt(long instant) {
      int i = next - 1;
      return isExact(instant)
          ? column.doubleValue(i)
          : interpolation.between(
              instant,
              column.millis(i),
              column.doubleValue(i),
              column.millis(next),
              column.doubleValue(next));
    }
  }
}
