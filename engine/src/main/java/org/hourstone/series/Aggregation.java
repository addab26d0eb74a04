package org.hourstone.series;

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
public final class Aggregation {
  private static final int MOST_SINGLE_INSTANTS = 256;

  private final Aggregator aggregator;
  private final Interpolation interpolation;
  private final boolean earlyDoubles;
  private final boolean heldFirstRate;
  private final boolean atOnce;
  private final Runnable check;
  private final Accumulator accumulator;
  private final LongConsumer memory;
  private final List<Member> members = new ArrayList<>(1);
  private boolean sorted = true;
  private boolean ended;
  private long lastMillis = Long.MIN_VALUE;
  private final Block block = new Block();
  private long[] longs = {};
  private double[] doubles = {};

  /**
   * @param downsample what the series' points come from, or null
   * @param rate whether they are rates
   * @param options as above; {@link RateStep} must be told the same
   * @param memory is told of the memory the series' points take
   * @param check is called now and then, and may throw
   */
  public Aggregation(
      Aggregator aggregator,
      @Nullable Downsample downsample,
      boolean rate,
      NumberOptions options,
      LongConsumer memory,
      Runnable check) {
    this.aggregator = aggregator;
    this.memory = memory;
    this.interpolation = interpolation(aggregator, rate, options);
    this.earlyDoubles = options.earlyDoubles();
    this.heldFirstRate = rate && options.heldFirstRate();
    this.check = check;
    this.accumulator = aggregator.overDoubles();
    this.atOnce =
        heldFirstRate
            || (earlyDoubles && downsample == null && !rate)
            || (downsample != null && lateSeriesCount(downsample));
  }

  private static Interpolation interpolation(
      Aggregator aggregator, boolean rate, NumberOptions options) {
    if (rate) {
      return Interpolation.PREVIOUS;
    }
    return aggregator.interpolation() == Interpolation.MIN && options.positiveMimmax()
        ? Interpolation.POSITIVE_MIN
        : aggregator.interpolation();
  }

  /** Whether filled buckets of a series that is found late change what came before. */
  private boolean lateSeriesCount(Downsample downsample) {
    return switch (downsample.fill()) {
      case NONE -> false;
      case NAN, NULL -> !aggregator.passesOverNaN();
      case ZERO, SCALAR -> true;
    };
  }

  /**
   * Adds a series.
   *
   * @param order its place among the others
   * @return where its points are to be put as they come; they are taken from there
   */
  public PointColumn add(byte[] order) {
    Member member = new Member(order, memory);
    sorted &=
        members.isEmpty()
            || Arrays.compareUnsigned(members.get(members.size() - 1).order(), order) <= 0;
    members.add(member);
    return member.column();
  }

  /**
   * Adds the results that are decided.
   *
   * @param untilMillis before this instant no series, not even one that is still to be found, gets
   *     another point
   */
  public void advance(long untilMillis, PointColumn out) {
    if (!atOnce) {
      run(untilMillis, out);
    }
  }

  /** Adds all other results: the series have ended. */
  public void finish(PointColumn out) {
    ended = true;
    run(Long.MAX_VALUE, out);
  }

  private void run(long until, PointColumn out) {
    prepare();
    int single = 1;
    Member first = first(until);
    while (first != null) {
      check.run();
      if (block.read(members, first, until, earlyDoubles)) {
        aggregateBlock(first, out);
        single = 1;
        first = first(until);
      } else {
        for (int i = 0; i < single && first != null; i++) {
          aggregateInstant(first.nextMillis(), out);
          first = first(until);
        }
        single = Math.min(2 * single, MOST_SINGLE_INSTANTS);
      }
    }
    members.forEach(Member::forget);
  }

  private void prepare() {
    if (!sorted) {
      members.sort((one, other) -> Arrays.compareUnsigned(one.order(), other.order()));
      sorted = true;
    }
    if (longs.length < members.size()) {
      longs = new long[members.size()];
      doubles = new double[members.size()];
    }
    for (Member member : members) {
      if (!member.live()) {
        passOver(member);
      }
      member.refresh(ended);
    }
  }

  /** Passes over what is not to be seen of a series that has not begun. */
  private void passOver(Member member) {
    PointColumn column = member.column();
    if (heldFirstRate && column.size() == 1) {
      column.clear();
    } else if (heldFirstRate && !column.isEmpty()) {
      member.take(1, ended);
    } else if (lastMillis != Long.MIN_VALUE) {
      column.dropFirst(column.firstFrom(lastMillis + 1)); // filled with what doesn't count
    }
  }

  /** A series whose next point is the next of all, or null if that is not decided. */
  private @Nullable Member first(long until) {
    Member first = null;
    long earliest = until;
    for (Member member : members) {
      if (member.nextMillis() < earliest) {
        first = member;
        earliest = member.nextMillis();
      }
    }
    return earliest == Member.UNKNOWN ? null : first;
  }

  private void aggregateBlock(Member first, PointColumn out) {
    int width = block.width();
    for (int row = 0; row < block.rows(); row++) {
      long instant = first.column().millis(first.next() + row);
      if (block.integers()) {
        System.arraycopy(block.longs(), row * width, longs, 0, width);
        out.addLong(instant, aggregator.overLongs().of(longs, width));
      } else {
        accumulator.add(block.doubles(), row * width, (row + 1) * width);
        out.addDouble(instant, accumulator.take());
      }
      lastMillis = instant;
    }
    for (Member member : members) {
      if (member.nextMillis() == Member.NONE) {
        member.end();
      } else {
        member.take(block.rows(), ended);
      }
    }
  }

  private void aggregateInstant(long instant, PointColumn out) {
    boolean hasDouble = false;
    for (Member member : members) {
      member.advanceTo(instant, ended);
      hasDouble |= earlyDoubles ? member.hasDoubleAtHand() : member.givesDouble(instant);
    }
    if (hasDouble) {
      out.addDouble(instant, ofDoubles(instant));
    } else {
      out.addLong(instant, ofLongs(instant));
    }
    lastMillis = instant;
  }

  private long ofLongs(long instant) {
    int count = 0;
    for (Member member : members) {
      if (member.live()) {
        longs[count++] = member.longAt(instant, interpolation);
      }
    }
    return aggregator.overLongs().of(longs, count);
  }

  private double ofDoubles(long instant) {
    int count = 0;
    for (Member member : members) {
      if (member.live()) {
        doubles[count++] = member.doubleAt(instant, interpolation);
      }
    }
    accumulator.add(doubles, 0, count);
    return accumulator.take();
  }
}
