package org.hourstone.query.rows;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import org.hourstone.kv.Bytes;
import org.hourstone.rollup.HourRange;
import org.hourstone.rollup.RollupInterval;
import org.hourstone.series.Aggregator;

/**
 * A part of a query's hours that is read from rollups which the database computes itself.
 *
 * @param interval whose values are read
 * @param hours begin and end with an interval and with an hour
 * @param by how points are downsampled
 * @param stored the stored aggregations: one, or a sum and a count for averages
 * @param unusable for each row of rolled-up values, by its key without the salt, the starts in
 *     seconds of the intervals that must be computed from points
 * @param annotated in the same way the hours whose rows of points have annotations, which are read
 *     though the values of their intervals are the stored ones
 */
public record RolledPart(
    RollupInterval interval,
    HourRange hours,
    Aggregator by,
    List<String> stored,
    SortedMap<Bytes, SortedSet<Long>> unusable,
    SortedMap<Bytes, SortedSet<Long>> annotated) {

  /** Whether averages are read as pairs. */
  public boolean averages() {
    return stored.size() > 1;
  }

  /** The same, of some of its hours, which begin and end with an interval and with an hour. */
  public RolledPart within(HourRange some) {
    return new RolledPart(interval, some, by, stored, unusable, annotated);
  }

  /** The same of a shorter interval, of other hours, of which nothing is known yet. */
  public RolledPart of(RollupInterval shorter, HourRange some) {
    return new RolledPart(
        shorter, some, by, stored, Collections.emptySortedMap(), Collections.emptySortedMap());
  }

  /** The same, with the intervals that must be computed from points, and hours with annotations. */
  public RolledPart with(
      SortedMap<Bytes, SortedSet<Long>> unusableIntervals,
      SortedMap<Bytes, SortedSet<Long>> annotatedHours) {
    return new RolledPart(interval, hours, by, stored, unusableIntervals, annotatedHours);
  }
}
