package org.hourstone.series;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Combines several series into one, incrementally as their points arrive. The result has a point at
 * every timestamp at which at least one of the series has one. At that timestamp each series that
 * has begun and not yet ended contributes its point, or a value that the aggregator interpolates
 * from the adjacent points. Rates are never interpolated: the previous rate is used. Series are
 * combined in the order of their keys, because sums of doubles depend on it.
 *
 * <p>A result is an integer unless a double contributes to it, or it does not fit in 64 bits; with
 * <em>wrapped integers</em>, as in OpenTSDB, it has their last 64 bits then. With <em>early
 * doubles</em>, as in OpenTSDB, an adjacent double is enough: for each series, the point at or
 * before the timestamp and the next point are considered, even if the series has not begun. So the
 * results are doubles from one point before the first double.
 *
 * <p>With a <em>held first rate</em>, also as in OpenTSDB, the first rate of each series has no
 * timestamp of its own: the series contributes it at every timestamp before its second rate. A
 * series without a second rate contributes nothing.
 *
 * <p>Results are emitted before the end only if no later series can change them. Early doubles of
 * raw points, held first rates, and buckets filled with values that count delay all results to the
 * end.
 *
 * <p>The cost of a timestamp is proportional to the number of series that have begun and not yet
 * ended there. A large number of short series, one after the other, costs no more together than
 * separately. For one thread.
 */
public final class Aggregation {
  private static final int MOST_SINGLE_INSTANTS = 256;
  private static final Comparator<Member> BY_ORDER =
      (one, other) -> Arrays.compareUnsigned(one.order(), other.order());

  private final Aggregator aggregator;
  private final ExactFold integers;
  private final Interpolation interpolation;
  private final boolean earlyDoubles;
  private final boolean heldFirstRate;
  private final boolean atOnce;
  private final boolean passesOnAlone;
  private final Runnable check;
  private final Accumulator accumulator;
  private final MemoryLease memory;

  /** The series that have no points yet. */
  private final List<Member> withoutPoints = new ArrayList<>(1);

  /**
   * The series with points that begin after all results so far, ordered by their first timestamp.
   */
  private final PriorityQueue<Member> waiting =
      new PriorityQueue<>(1, Comparator.comparingLong(Member::nextMillis));

  /** The number of waiting series whose first point is a double. */
  private int waitingDoubles;

  /**
   * The series that have begun, or begin at the next timestamp, and have not ended; sorted by their
   * order.
   */
  private final List<Member> active = new ArrayList<>(1);

  /**
   * An active series whose next point has not arrived, so that no result can be computed; or null.
   */
  private @Nullable Member missing;

  private boolean ended;
  private long lastMillis = Long.MIN_VALUE;
  private long visits;
  private final Block block = new Block();
  private long[] longs = {};
  private double[] doubles = {};

  /**
   * @param downsample how the series' points were downsampled, or null
   * @param rate how they were converted to rates, or null
   * @param quirks as above; {@link RateStep} must get the same
   * @param memory of the series' points
   * @param check is called periodically, and may throw
   */
  public Aggregation(
      Aggregator aggregator,
      @Nullable Downsample downsample,
      @Nullable RateOptions rate,
      Set<NumberQuirk> quirks,
      MemoryLease memory,
      Runnable check) {
    this.aggregator = aggregator;
    this.memory = memory;
    this.integers =
        quirks.contains(NumberQuirk.WRAPPED_INTEGERS)
            ? ExactFold.of(aggregator.overLongs())
            : aggregator.exact();
    this.interpolation = interpolation(aggregator, rate != null, quirks);
    this.earlyDoubles = quirks.contains(NumberQuirk.EARLY_DOUBLES);
    this.heldFirstRate = rate != null && quirks.contains(NumberQuirk.HELD_FIRST_RATE);
    this.check = check;
    this.accumulator = aggregator.overDoubles(memory);
    this.passesOnAlone = aggregator.passesOnSingleValues() && !earlyDoubles && !heldFirstRate;
    this.atOnce =
        heldFirstRate
            || (earlyDoubles && downsample == null && rate == null)
            || (downsample != null && lateSeriesCount(downsample, rate));
  }

  private static Interpolation interpolation(
      Aggregator aggregator, boolean rate, Set<NumberQuirk> quirks) {
    if (rate) {
      return Interpolation.PREVIOUS;
    }
    Interpolation plain = aggregator.interpolation();
    if (plain == Interpolation.MIN && quirks.contains(NumberQuirk.POSITIVE_MIMMAX)) {
      return Interpolation.POSITIVE_MIN;
    }
    return plain == Interpolation.LINEAR && quirks.contains(NumberQuirk.WRAPPED_INTEGERS)
        ? Interpolation.WRAPPED_LINEAR
        : plain;
  }

  /** Whether the filled buckets of a series that is found late change earlier results. */
  private boolean lateSeriesCount(Downsample downsample, @Nullable RateOptions rate) {
    return switch (downsample.fill()) {
      case NONE -> false;
      // Where another series has a dropped rate, a late one's NaN makes a result.
      case NAN, NULL -> !aggregator.skipsNaN() || (rate != null && rate.dropResets());
      case ZERO, SCALAR -> true;
    };
  }

  /**
   * Adds a series.
   *
   * @param order its position among the series
   * @return the column to add its points to as they arrive; they are removed from it
   */
  public PointColumn add(byte[] order) {
    Member member = new Member(order, memory);
    withoutPoints.add(member);
    return member.column();
  }

  /**
   * Adds the results that are final.
   *
   * @param untilMillis the timestamp before which no series, including series not found yet, gets
   *     another point
   */
  public void advance(long untilMillis, PointColumn out) {
    if (!atOnce && (missing == null || missing.left() > 0)) {
      run(untilMillis, out);
    }
  }

  /** Adds all remaining results when the series have ended. */
  public void finish(PointColumn out) {
    ended = true;
    run(Long.MAX_VALUE, out);
  }

  /**
   * Whether there are points that only wait for a later {@link #advance}, so that it must be called
   * again.
   */
  public boolean isWaiting() {
    return !atOnce && missing == null && !(active.isEmpty() && waiting.isEmpty());
  }

  private void run(long until, PointColumn out) {
    prepare();
    int single = 1;
    Member first = first(until);
    while (first != null) {
      check.run();
      long stop = waiting.isEmpty() ? until : Math.min(until, waiting.element().nextMillis());
      if (passesOnAlone && active.size() == 1) {
        passOn(first, stop, out);
        first = first(until);
      } else if (readBlock(first, stop)) {
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
    active.forEach(Member::forget);
    missing = missing();
  }

  /** Registers the points that have arrived. */
  private void prepare() {
    visits += active.size() + withoutPoints.size();
    active.forEach(member -> member.refresh(ended));
    if (withoutPoints.removeIf(this::begins)) {
      active.sort(BY_ORDER);
    }
  }

  /** Whether a series that had no points has some now. */
  private boolean begins(Member member) {
    passOver(member);
    member.refresh(ended);
    if (member.live()) {
      active.add(member);
    } else if (member.nextMillis() != Member.NONE) {
      waiting.add(member);
      waitingDoubles += member.nextIsInteger() ? 0 : 1;
    } else {
      return false;
    }
    return true;
  }

  /** Drops the filled points before the first point of a series that has not begun. */
  private void passOver(Member member) {
    PointColumn column = member.column();
    if (heldFirstRate && column.size() == 1) {
      column.clear();
    } else if (heldFirstRate && !column.isEmpty()) {
      member.take(1, ended);
    } else if (lastMillis != Long.MIN_VALUE) {
      column.dropFirst(column.firstFrom(lastMillis + 1)); // filled with a value that doesn't count
    }
  }

  /**
   * The series that has been without a next point for longest, which is likely to stay without one.
   */
  private @Nullable Member missing() {
    Member missing = null;
    for (Member member : active) {
      if (member.nextMillis() == Member.UNKNOWN
          && (missing == null || member.millis() < missing.millis())) {
        missing = member;
      }
    }
    return missing;
  }

  /**
   * A series that has the earliest next point of all series, or null if it is not known yet. The
   * series that begin at that timestamp become active.
   */
  private @Nullable Member first(long until) {
    Member first = null;
    long earliest = until;
    visits += active.size();
    for (Member member : active) {
      if (member.nextMillis() < earliest) {
        first = member;
        earliest = member.nextMillis();
      }
    }
    Member next = waiting.peek();
    if (next != null && next.nextMillis() <= earliest && next.nextMillis() < until) {
      begin(next.nextMillis());
      return next;
    }
    return earliest == Member.UNKNOWN ? null : first;
  }

  private void begin(long instant) {
    for (Member next = waiting.peek();
        next != null && next.nextMillis() == instant;
        next = waiting.peek()) {
      waiting.remove();
      waitingDoubles -= next.nextIsInteger() ? 0 : 1;
      active.add(next);
    }
    active.sort(BY_ORDER);
    visits += active.size();
  }

  /** Copies the points of the only active series, which are the results. */
  private void passOn(Member only, long stop, PointColumn out) {
    int before = out.size();
    only.passOn(stop, ended, out);
    out.replaceDoubles(before, aggregator::ofSingle);
    lastMillis = only.millis();
  }

  private boolean readBlock(Member first, long stop) {
    visits += active.size();
    return !(earlyDoubles && waitingDoubles > 0) && block.read(active, first, stop, earlyDoubles);
  }

  private void aggregateBlock(Member first, PointColumn out) {
    int width = block.width();
    makeRoom(width);
    for (int row = 0; row < block.rows(); row++) {
      long instant = first.column().millis(first.next() + row);
      if (block.integers()) {
        System.arraycopy(block.longs(), row * width, longs, 0, width);
        integers.add(longs, width, instant, out);
      } else {
        accumulator.add(block.doubles(), row * width, (row + 1) * width);
        out.addDouble(instant, accumulator.take());
      }
      lastMillis = instant;
    }
    active.removeIf(member -> member.nextMillis() == Member.NONE);
    active.forEach(member -> member.take(block.rows(), ended));
  }

  private void aggregateInstant(long instant, PointColumn out) {
    boolean hasDouble = earlyDoubles && waitingDoubles > 0;
    int left = 0;
    visits += active.size();
    for (int i = 0; i < active.size(); i++) {
      Member member = active.get(i);
      if (member.advanceTo(instant, ended)) {
        hasDouble |= earlyDoubles ? member.hasDoubleAvailable() : member.givesDouble(instant);
        active.set(left++, member);
      }
    }
    active.subList(left, active.size()).clear();
    makeRoom(left);
    if (hasDouble) {
      out.addDouble(instant, ofDoubles(instant));
    } else {
      addOfLongs(instant, out);
    }
    lastMillis = instant;
  }

  private void makeRoom(int count) {
    if (longs.length < count) {
      longs = new long[Math.max(count, 2 * longs.length)];
      doubles = new double[longs.length];
    }
  }

  private void addOfLongs(long instant, PointColumn out) {
    int count = 0;
    for (Member member : active) {
      longs[count++] = member.longAt(instant, interpolation);
    }
    integers.add(longs, count, instant, out);
  }

  private double ofDoubles(long instant) {
    int count = 0;
    for (Member member : active) {
      doubles[count++] = member.doubleAt(instant, interpolation);
    }
    accumulator.add(doubles, 0, count);
    return accumulator.take();
  }

  /** The number of series visited, summed over all timestamps. The work is proportional to it. */
  long visits() {
    return visits;
  }
}
