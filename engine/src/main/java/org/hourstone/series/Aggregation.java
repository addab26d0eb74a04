package org.hourstone.series;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Combines several series into one, incrementally as their points arrive. The result has a point at
 * every timestamp where one of the series has one; there each series that has begun and not yet
 * ended contributes its point, or a value that its aggregator interpolates from the points around.
 * Rates are never interpolated: the previous rate is used. Series are combined in the order of
 * their keys, because sums of doubles depend on it.
 *
 * <p>A result is an integer unless a double contributes to it. With <em>early doubles</em>, as in
 * OpenTSDB, a double nearby is enough: for each series the point at or before the timestamp and the
 * one after it count, even if the series has not begun; so the result is a double from one point
 * before the first double.
 *
 * <p>With a <em>held first rate</em>, also as in OpenTSDB, the first rate of each series has no
 * timestamp of its own: the series contributes it at every timestamp before its second rate. A
 * series without a second rate contributes nothing.
 *
 * <p>Results are added before the end only if no later series can change them. Early doubles of raw
 * points, held first rates, and buckets filled with values that count delay all results to the end.
 * For one thread.
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
  private final MemoryLease memory;
  private final List<Member> members = new ArrayList<>(1);
  private boolean sorted = true;
  private boolean ended;
  private long lastMillis = Long.MIN_VALUE;
  private final Block block = new Block();
  private long[] longs = {};
  private double[] doubles = {};

  /**
   * @param downsample how the series' points were downsampled, or null
   * @param rate whether they are rates
   * @param options as above; {@link RateStep} must get the same
   * @param memory of the series' points
   * @param check is called periodically, and may throw
   */
  public Aggregation(
      Aggregator aggregator,
      @Nullable Downsample downsample,
      boolean rate,
      NumberOptions options,
      MemoryLease memory,
      Runnable check) {
    this.aggregator = aggregator;
    this.memory = memory;
    this.interpolation = interpolation(aggregator, rate, options);
    this.earlyDoubles = options.earlyDoubles();
    this.heldFirstRate = rate && options.heldFirstRate();
    this.check = check;
    this.accumulator = aggregator.overDoubles(memory);
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

  /** Whether filled buckets of a series that is found late change earlier results. */
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
   * @param order its position among the others
   * @return the column to add its points to as they arrive; they are removed from it
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
   * Adds the results that are final.
   *
   * @param untilMillis no series, including one not found yet, gets another point before this
   *     timestamp
   */
  public void advance(long untilMillis, PointColumn out) {
    if (!atOnce) {
      run(untilMillis, out);
    }
  }

  /** Adds all remaining results: the series have ended. */
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

  /** Drops the filled points before the first point of a series that has not begun. */
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
