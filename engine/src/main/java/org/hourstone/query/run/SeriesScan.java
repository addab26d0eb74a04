package org.hourstone.query.run;

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
import org.hourstone.query.Query;
import org.hourstone.query.QueryContext;
import org.hourstone.query.QueryOptions;
import org.hourstone.query.plan.Plan;
import org.hourstone.query.rows.SeriesChunk;
import org.hourstone.query.rows.SeriesGroup;
import org.hourstone.query.rows.SeriesState;
import org.hourstone.series.Aggregation;
import org.hourstone.series.Buckets;
import org.hourstone.series.ColumnStep;
import org.hourstone.series.Downsample;
import org.hourstone.series.FillPolicy;
import org.hourstone.series.FillStep;
import org.hourstone.series.MemoryLease;
import org.hourstone.series.RateStep;
import org.jspecify.annotations.Nullable;

/**
 * Reads the slices of a query in time order and combines, group by group, the points that no later
 * slice can change; so it holds the result and the points not yet decided. A slice costs time only
 * for the groups that it has points of, and for those with points that wait for their time. For one
 * thread.
 */
final class SeriesScan implements AutoCloseable {
  private final Plan plan;

  /** Approximately how much memory a series takes beside its points, with its group and keys. */
  private static final int SERIES_BYTES = 1000;

  /** The same of one that is in no group. */
  private static final int UNGROUPED_BYTES = 120;

  private final QueryContext use;
  private final RowKey keys;
  private final boolean downsampled;
  private final boolean apart;
  private final Grouping grouping;
  private final Map<Bytes, SeriesState> series = new HashMap<>();
  private final Set<Bytes> ungrouped = new HashSet<>();
  private final TreeMap<Bytes, SeriesGroup> groups = new TreeMap<>();

  /** Those that have to be advanced after the next slice. */
  private final List<SeriesGroup> advancing = new ArrayList<>();

  private final MemoryLease memory;
  private boolean mixed;
  private boolean kept;

  /**
   * @param downsampled whether points were downsampled as they were read
   * @param apart whether salt buckets are read apart, so that a series must be in one
   */
  SeriesScan(QueryPart part, boolean downsampled, boolean apart) {
    this.apart = apart;
    this.plan = part.plan();
    this.use = part.use();
    this.memory = use.memory().child();
    this.keys = plan.keys();
    this.downsampled = downsampled;
    this.grouping = new Grouping(keys, plan.query(), plan.series().groupBy());
  }

  /**
   * Takes the series of a slice.
   *
   * @param coveredSeconds up to which hour all salt buckets have been taken
   */
  void accept(Map<Bytes, SeriesChunk> slice, long coveredSeconds) {
    Iterator<Map.Entry<Bytes, SeriesChunk>> chunks = slice.entrySet().iterator();
    while (chunks.hasNext()) {
      Map.Entry<Bytes, SeriesChunk> next = chunks.next();
      try (SeriesChunk chunk = next.getValue()) {
        take(next.getKey(), chunk);
      }
      chunks.remove(); // for the garbage collector
    }
    long readMillis = coveredSeconds * 1000;
    long decidedMillis = decided(readMillis);
    advancing.removeIf(group -> !group.advance(readMillis, decidedMillis));
  }

  private void take(Bytes order, SeriesChunk chunk) {
    SeriesState found = series.get(order);
    if (found == null && !ungrouped.contains(order)) {
      found = found(order, chunk);
    }
    if (found != null) {
      if (apart && !Arrays.equals(found.salt(), chunk.salt)) {
        mixed = true; // its points may not be in time order
      } else if (found.group().accept(found, chunk)) {
        advancing.add(found.group());
      }
    }
  }

  private @Nullable SeriesState found(Bytes order, SeriesChunk chunk) {
    byte[] tsuid = plan.options().seriesBySalt() ? keys.tsuid(order.array()) : order.array();
    Bytes key = grouping.key(order.array(), tsuid);
    if (key == null) {
      memory.grow(UNGROUPED_BYTES);
      ungrouped.add(order);
      return null;
    }
    use.foundSeries();
    SeriesGroup group = groups.computeIfAbsent(key, k -> newGroup());
    group.memory().grow(SERIES_BYTES);
    SeriesState found = group.add(order.array(), tsuid, chunk.salt, steps(group.memory()));
    series.put(order, found);
    return found;
  }

  private SeriesGroup newGroup() {
    MemoryLease own = memory.child();
    return new SeriesGroup(newAggregation(own), own);
  }

  private Aggregation newAggregation(MemoryLease own) {
    QueryOptions options = plan.options();
    return new Aggregation(
        plan.query().aggregator(),
        plan.query().downsample(),
        plan.query().rate(),
        options.numbers(),
        own,
        use::check);
  }

  private List<ColumnStep> steps(MemoryLease own) {
    List<ColumnStep> steps = new ArrayList<>(2);
    Query query = plan.query();
    Downsample downsample = query.downsample();
    long scanStart = plan.range().startSeconds() * 1000;
    if (downsample != null && !downsampled) {
      steps.add(plan.source().downsampling(query, downsample, scanStart, own));
    }
    if (downsample != null && downsample.fill() != FillPolicy.NONE && !downsample.isAll()) {
      steps.add(new FillStep(downsample, scanStart, plan.range().stopSeconds() * 1000));
    }
    if (query.rate() != null) {
      steps.add(new RateStep(query.rate(), plan.options().numbers()));
    }
    return steps;
  }

  /**
   * The timestamp before which no series gets another point, once all up to {@code millis} is read.
   */
  private long decided(long millis) {
    Downsample downsample = plan.query().downsample();
    if (downsample == null || downsampled) {
      return millis;
    }
    Query query = plan.query();
    return Buckets.settledBefore(downsample, millis, query.startMillis(), query.endMillis());
  }

  /** Whether a series was found in two salt buckets, although these are read apart. */
  boolean isMixed() {
    return mixed;
  }

  /** The series that were found. */
  List<byte[]> tsuids() {
    return series.values().stream().map(SeriesState::tsuid).toList();
  }

  /** All slices were taken: the groups by their keys, in order. */
  SortedMap<Bytes, SeriesGroup> finish() {
    groups
        .values()
        .removeIf(
            group -> {
              use.check();
              boolean empty = !group.finish();
              if (empty) {
                group.memory().close();
              }
              return empty;
            });
    return groups;
  }

  /** The groups are used: they have their memory until the query ends. */
  void keepGroups() {
    kept = true;
  }

  /** Gives back the memory of the groups, unless they are used. */
  @Override
  public void close() {
    if (!kept) {
      memory.close();
    }
  }
}
