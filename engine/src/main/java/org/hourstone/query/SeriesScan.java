package org.hourstone.query;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
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
import org.hourstone.series.MemoryLease;
import org.hourstone.series.RateStep;
import org.jspecify.annotations.Nullable;

/**
 * Reads the slices of a query in time order and combines, group by group, the points that no later
 * slice can change; so it holds the result and the points not yet decided. For one thread.
 */
final class SeriesScan implements AutoCloseable {
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
  private final MemoryLease memory;
  private boolean finished;

  /**
   * @param apart whether salt buckets are read apart, so that a series must be in one
   */
  SeriesScan(ScanPlan reading, SliceCutting cutting, boolean apart) {
    this.apart = apart;
    this.reading = reading;
    this.memory = reading.use().memory().child();
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
    Iterator<Map.Entry<Bytes, SeriesChunk>> chunks = content.series().entrySet().iterator();
    while (chunks.hasNext()) {
      Map.Entry<Bytes, SeriesChunk> next = chunks.next();
      try (SeriesChunk chunk = next.getValue()) {
        take(next.getKey(), chunk);
      }
      chunks.remove(); // for the garbage collector
    }
    long readMillis = coveredSeconds * 1000;
    long decidedMillis = decided(readMillis);
    groups.values().forEach(group -> group.advance(readMillis, decidedMillis));
  }

  private void take(Bytes order, SeriesChunk chunk) {
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
  }

  private @Nullable SeriesState found(Bytes order, SeriesChunk chunk) {
    byte[] tsuid = reading.options().seriesBySalt() ? keys.tsuid(order.array()) : order.array();
    Bytes key = grouping.key(order.array(), tsuid);
    if (key == null) {
      ungrouped.add(order);
      return null;
    }
    reading.use().foundSeries();
    SeriesGroup group = groups.computeIfAbsent(key, k -> newGroup());
    SeriesState found = group.add(order.array(), tsuid, chunk.salt, steps(group.memory()));
    series.put(order, found);
    return found;
  }

  private SeriesGroup newGroup() {
    MemoryLease own = memory.child();
    return new SeriesGroup(newAggregation(own), own);
  }

  private Aggregation newAggregation(MemoryLease own) {
    QueryOptions options = reading.options();
    return new Aggregation(
        reading.query().aggregator(),
        reading.query().downsample(),
        reading.query().rate() != null,
        options.numbers(),
        own,
        reading.use()::check);
  }

  private List<ColumnStep> steps(MemoryLease own) {
    List<ColumnStep> steps = new ArrayList<>(2);
    Query query = reading.query();
    Downsample downsample = query.downsample();
    long scanStart = reading.plan().range().startSeconds() * 1000;
    if (downsample != null && !cutting.downsamples()) {
      steps.add(reading.source().downsampling(query, downsample, scanStart, own));
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
    finished = true;
    return groups;
  }

  /** Gives back the memory of the groups, unless they were returned. */
  @Override
  public void close() {
    if (!finished) {
      memory.close();
    }
  }
}
