package org.hourstone.query;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.hourstone.codec.RowKey;
import org.hourstone.kv.Bytes;
import org.hourstone.series.Aggregation;
import org.hourstone.series.ColumnStep;
import org.hourstone.series.Downsample;
import org.hourstone.series.FillPolicy;
import org.hourstone.series.FillStep;
import org.hourstone.series.RateStep;
import org.jspecify.annotations.Nullable;

/**
 * Reads the slices of a query in time order and combines, group by group, the points that no later
 * slice can change; so it holds the result and the points not yet decided. For one thread.
 */
final class SeriesScan {
  /** A series was found in two salt buckets that were read by themselves. */
  static final class SaltsMixed extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private final ScanPlan reading;
  private final RowKey keys;
  private final SliceCutting cutting;
  private final boolean apart;
  private final Grouping grouping;
  private final Map<Bytes, SeriesState> series = new HashMap<>();
  private final Set<Bytes> ungrouped = new HashSet<>();
  private final TreeMap<Bytes, SeriesGroup> groups = new TreeMap<>();
  private long otherBytes;

  /**
   * @param apart whether salt buckets are read apart, so that a series must be in one
   */
  SeriesScan(ScanPlan reading, SliceCutting cutting, boolean apart) {
    this.apart = apart;
    this.reading = reading;
    this.keys = reading.keys();
    this.cutting = cutting;
    this.grouping = new Grouping(keys, reading.query(), reading.plan().groupBy());
  }

  /**
   * Takes a slice.
   *
   * @param coveredSeconds up to which hour all salt buckets have been taken
   * @throws SaltsMixed if salt buckets can't be read by themselves
   */
  void accept(Slice.Content content, long coveredSeconds) {
    try {
      take(content);
      long readMillis = coveredSeconds * 1000;
      long decidedMillis = decided(readMillis);
      groups.values().forEach(group -> group.advance(readMillis, decidedMillis));
    } finally {
      reading.use().hold(-content.bytes()); // as it is now: taking points can make a chunk grow
    }
    account();
  }

  private void take(Slice.Content content) {
    content
        .series()
        .forEach(
            (order, chunk) -> {
              SeriesState found = series.get(order);
              if (found == null && !ungrouped.contains(order)) {
                found = found(order, chunk);
              }
              if (found != null) {
                if (apart && !Arrays.equals(found.salt(), chunk.salt)) {
                  throw new SaltsMixed();
                }
                found.accept(chunk);
              }
            });
  }

  private @Nullable SeriesState found(Bytes order, SeriesChunk chunk) {
    byte[] tsuid = reading.options().seriesBySalt() ? keys.tsuid(order.array()) : order.array();
    Bytes key = grouping.key(order.array(), tsuid);
    if (key == null) {
      ungrouped.add(order);
      return null;
    }
    reading.use().foundSeries();
    SeriesState found =
        groups
            .computeIfAbsent(key, k -> new SeriesGroup(newAggregation(), reading.use()::hold))
            .add(order.array(), tsuid, chunk.salt, steps());
    series.put(order, found);
    return found;
  }

  private Aggregation newAggregation() {
    QueryOptions options = reading.options();
    return new Aggregation(
        reading.query().aggregator(),
        reading.query().downsample(),
        reading.query().rate() != null,
        options.numbers(),
        reading.use()::hold,
        reading.use()::check);
  }

  private List<ColumnStep> steps() {
    List<ColumnStep> steps = new ArrayList<>(2);
    Query query = reading.query();
    Downsample downsample = query.downsample();
    long scanStart = reading.plan().range().startSeconds() * 1000;
    if (downsample != null && !cutting.downsamples()) {
      steps.add(reading.source().downsampling(query, downsample, scanStart));
    }
    if (downsample != null && downsample.fill() != FillPolicy.NONE && !downsample.isAll()) {
      steps.add(new FillStep(downsample, scanStart, reading.plan().range().stopSeconds() * 1000));
    }
    if (query.rate() != null) {
      steps.add(new RateStep(query.rate(), reading.options().numbers().heldFirstRate()));
    }
    return steps;
  }

  /**
   * The timestamp before which no series gets another point, once all up to {@code millis} is read.
   */
  private long decided(long millis) {
    Downsample downsample = reading.query().downsample();
    if (downsample == null || cutting.downsamples()) {
      return millis;
    }
    Query query = reading.query();
    return downsample.settledBefore(millis, query.startMillis(), query.endMillis());
  }

  /** Accounts for memory other than that of points, which columns account for as they take it. */
  private void account() {
    long bytes = 0;
    for (SeriesGroup group : groups.values()) {
      bytes += group.otherBytes();
    }
    reading.use().hold(bytes - otherBytes);
    otherBytes = bytes;
  }

  /** Releases the memory of the combined points. */
  void abandon() {
    long bytes = otherBytes;
    for (SeriesGroup group : groups.values()) {
      bytes += group.pointBytes();
    }
    reading.use().hold(-bytes);
    otherBytes = 0;
    groups.clear();
  }

  /** The series that were found. */
  List<byte[]> tsuids() {
    return series.values().stream().map(SeriesState::tsuid).toList();
  }

  /** All slices were taken: the groups by their keys, in order. */
  SortedMap<Bytes, SeriesGroup> finish() {
    for (SeriesGroup group : groups.values()) {
      reading.use().check();
      group.finish();
    }
    account();
    return groups;
  }
}
