package org.hourstone.query.plan;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.hourstone.codec.RowKey;
import org.hourstone.codec.Timestamps;
import org.hourstone.internal.SaltedMetrics;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.Family;
import org.hourstone.query.Query;
import org.hourstone.query.RollupDialect;
import org.hourstone.query.rows.RolledPart;
import org.hourstone.query.rows.RolledRowValues;
import org.hourstone.query.rows.Route;
import org.hourstone.query.rows.RowSource;
import org.hourstone.query.rows.ScanRange;
import org.hourstone.query.rows.SeriesChunk;
import org.hourstone.query.rows.Slice;
import org.hourstone.rollup.HourRange;
import org.hourstone.rollup.OwnRollups;
import org.hourstone.rollup.RollupInterval;
import org.hourstone.series.Aggregator;
import org.hourstone.series.Downsample;
import org.hourstone.series.MemoryLease;
import org.jspecify.annotations.Nullable;

/**
 * How a plan is read whose hours are rolled up in part: points before and after that part, which
 * are downsampled to the intervals of the rollup, and the rollup's values between. Where points
 * after it may have expired, as the day that they are of is not rolled up yet, values of shorter
 * intervals are read. The values of all legs are downsampled once more, together.
 *
 * @param legs in the order of time, without empty ones
 * @param together the plan by which their values are downsampled and combined
 */
public record RolledLegs(List<Leg> legs, Plan together) {
  /**
   * A part of the hours.
   *
   * @param plan for the values of its intervals
   * @param untilSeconds where it ends; rows of its plan may have more
   */
  public record Leg(Plan plan, long untilSeconds) {}

  /**
   * The legs of a plan with a rolled-up part; null if too many of its rows have changed.
   *
   * @param memory of the rows that must be computed from points
   * @param check ends the search for these if it throws
   */
  public static @Nullable RolledLegs of(Plan plan, MemoryLease memory, Runnable check) {
    RolledPart part = plan.route().rolled();
    OwnRollups own = plan.sources().own();
    Downsample downsample = plan.query().downsample();
    if (part == null || own == null || downsample == null) {
      throw new IllegalStateException("nothing is rolled up");
    }
    RolledPart known = UnusableIntervals.of(plan, part, own, memory, check);
    if (known == null) {
      return null;
    }
    RowSource points = part.averages() ? plan.source().makingPairs() : plan.source();
    HourRange hours = known.hours();
    List<Leg> legs = new ArrayList<>(3);
    ScanRange range = plan.range();
    if (range.startSeconds() < hours.from()) {
      Query each = byInterval(plan, part);
      legs.add(ofPoints(plan, points, each, range.startSeconds(), hours.from()));
    }
    Plan rolled = rolled(plan, known, own, points);
    legs.add(new Leg(rolled, hours.until()));
    RolledPart last = known;
    for (RolledPart next = after(plan, last, own, memory, check);
        next != null;
        next = after(plan, last, own, memory, check)) {
      legs.add(new Leg(rolled(plan, next, own, points), next.hours().until()));
      last = next;
    }
    long until = last.hours().until();
    if (until < range.stopSeconds()) {
      legs.add(ofPoints(plan, points, byInterval(plan, last), until, range.stopSeconds()));
    }
    boolean adds = part.by() == Aggregator.AVG || part.by() == Aggregator.COUNT;
    Query combined =
        adds ? plan.query().downsample(downsample.withAggregator(Aggregator.SUM)) : plan.query();
    Route together = new Route(rolled.source(), combined, plan.range(), plan.own(), known);
    return new RolledLegs(legs, with(plan, together));
  }

  private static Query byInterval(Plan plan, RolledPart part) {
    return plan.query().downsample(Downsample.fixed(part.interval().seconds() * 1000, part.by()));
  }

  /** A part of a shorter interval that follows, if points of it may have expired; else null. */
  private static @Nullable RolledPart after(
      Plan plan, RolledPart part, OwnRollups own, MemoryLease memory, Runnable check) {
    Downsample downsample = Objects.requireNonNull(plan.query().downsample());
    HourRange rest = new HourRange(part.hours().until(), plan.range().stopSeconds());
    for (RollupInterval shorter : own.plan().longestFirst()) {
      long seconds = shorter.seconds();
      HourRange hours =
          own.plan()
              .usable(shorter, own.hours().done())
              .within(rest)
              .inWhole(Math.max(seconds, Timestamps.ROW_SECONDS));
      RolledPart next = part.of(shorter, hours);
      if (seconds < part.interval().seconds()
          && part.interval().seconds() % seconds == 0
          && hours.from() == rest.from()
          && !hours.isEmpty()
          && RollupDialect.HOURSTONE.fits(
              shorter, downsample, plan.range().startSeconds(), plan.range().stopSeconds())
          && !UnusableIntervals.expiring(plan, next, own).isEmpty()) {
        return UnusableIntervals.of(plan, next, own, memory, check);
      }
    }
    return null;
  }

  private static Plan with(Plan plan, Route route) {
    return new Plan(plan.sources(), plan.options(), route, plan.series(), plan.path());
  }

  private static Leg ofPoints(Plan plan, RowSource points, Query query, long from, long until) {
    Route route = new Route(points, query, new ScanRange(from, until), plan.own(), null);
    return new Leg(with(plan, route), until);
  }

  private static Plan rolled(Plan plan, RolledPart part, OwnRollups own, RowSource points) {
    RollupInterval interval = part.interval();
    Query byInterval = byInterval(plan, part);
    Downsample each = Objects.requireNonNull(byInterval.downsample());
    boolean annotations = plan.query().source().annotations();
    RolledRowValues.PointRows rows =
        new RolledRowValues.PointRows(
            plan.sources().store(),
            plan.source().family(),
            plan.keys(),
            () -> {
              MemoryLease memory = MemoryLease.untracked();
              return new SeriesChunk(
                  byInterval,
                  points.downsampling(byInterval, each, 0, memory),
                  new byte[0],
                  memory);
            },
            annotations);
    RowSource source =
        RowSource.ofRollups(
            "rollup " + interval.name(),
            new Family(interval.table(), plan.source().family().name()),
            interval,
            part.averages(),
            corruption ->
                new RolledRowValues(
                    part,
                    own.plan().config(),
                    plan.options().cells().duplicates(),
                    rows,
                    plan.source().decoding().apply(corruption),
                    corruption));
    HourRange hours = part.hours();
    ScanRange range =
        new ScanRange(
            interval.baseTime(hours.from()),
            interval.rowSpan().next(interval.baseTime(hours.until() - 1)));
    Query whole = plan.query().downsample((Downsample) null);
    return with(plan, new Route(source, whole, range, plan.own(), part));
  }

  /** The keys of the rows of a slice that must be computed from points, in order. */
  static List<byte[]> missing(Plan plan, RolledPart part, Slice slice) {
    RowKey keys = plan.keys();
    int salt = keys.schema().saltWidth();
    int tags = keys.schema().tagsOffset();
    List<byte[]> missing = new ArrayList<>();
    Bytes from = start(plan, slice.hours().startSeconds());
    Bytes stop = start(plan, slice.hours().stopSeconds());
    for (Bytes unsalted : part.unusable().subMap(from, stop).keySet()) {
      byte[] row = UnusableIntervals.salted(unsalted.array(), salt);
      byte[] tsuid = keys.tsuid(row);
      byte[] key = keys.rowKey(tsuid, keys.baseTime(row));
      if (slice.hours().contains(keys.baseTime(key))
          && isInBuckets(keys, key, slice)
          && isBetween(key, tags, slice)
          && isSelected(plan, key, tsuid)) {
        missing.add(key);
      }
    }
    return missing;
  }

  /** Where the rows of a base time begin, without the salt. */
  private static Bytes start(Plan plan, long baseTime) {
    int salt = plan.keys().schema().saltWidth();
    byte[] prefix = SaltedMetrics.prefix(new byte[salt], plan.series().metric());
    byte[] start = SaltedMetrics.hour(plan.keys(), prefix, baseTime);
    return new Bytes(Arrays.copyOfRange(start, salt, start.length));
  }

  private static boolean isInBuckets(RowKey keys, byte[] key, Slice slice) {
    int width = keys.schema().saltWidth();
    for (int bucket = slice.firstSalt(); bucket < slice.stopSalt(); bucket++) {
      if (Arrays.equals(keys.salt(bucket), Arrays.copyOf(key, width))) {
        return true;
      }
    }
    return false;
  }

  private static boolean isBetween(byte[] key, int tagsOffset, Slice slice) {
    byte[] tags = Arrays.copyOfRange(key, tagsOffset, key.length);
    return Arrays.compareUnsigned(tags, slice.fromTags()) >= 0
        && (slice.stopTags().length == 0 || Arrays.compareUnsigned(tags, slice.stopTags()) < 0);
  }

  private static boolean isSelected(Plan plan, byte[] key, byte[] tsuid) {
    return plan.path() instanceof AccessPath.Picked picked
        ? Collections.binarySearch(picked.tsuids(), tsuid, Arrays::compareUnsigned) >= 0
        : plan.series().rowFilter().matches(key);
  }
}
