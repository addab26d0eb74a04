package org.hourstone.query;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.FutureTask;
import org.hourstone.kv.Bytes;
import org.jspecify.annotations.Nullable;

/** A running query: reads its rows, then returns its groups one by one. */
final class QueryRun implements AutoCloseable {
  private static final long HOUR = 3600;
  private static final long SHORTEST_FIRST_SLICE = 4 * HOUR;
  private static final long LONGEST_FIRST_SLICE = 24 * HOUR;

  /**
   * A part of the query's range.
   *
   * @param ways the first of them is taken that has something
   * @param fromMillis where it begins
   * @param toMillis where it ends, inclusive
   */
  record Segment(List<ScanPlan> ways, long fromMillis, long toMillis) {}

  private final Query query;
  private final List<Segment> spans;
  private final QueryContext use;
  private final QueryThreads threads;
  private final FutureTask<Queue<GroupResult>> task = new FutureTask<>(this::answer);
  private final CorruptionTotal damage = new CorruptionTotal();

  /** The scan plans that had data. */
  private final Set<ScanPlan> taken = ConcurrentHashMap.newKeySet();

  /**
   * @param query as requested
   * @param spans the parts of its range, in the order of time
   */
  QueryRun(Query query, List<Segment> spans, QueryContext use, QueryThreads threads) {
    this.query = query;
    this.spans = spans;
    this.use = use;
    this.threads = threads;
  }

  List<Segment> spans() {
    return spans;
  }

  /** Whether a part of the range was read with this plan; valid when the groups are complete. */
  boolean isTaken(ScanPlan way) {
    return taken.contains(way);
  }

  Query query() {
    return query;
  }

  QueryContext use() {
    return use;
  }

  /** Starts reading the rows in another thread. */
  void start() {
    threads.execute(task);
  }

  /** The groups, once all rows are read. Rethrows a failure to read them. */
  Queue<GroupResult> groups() {
    try {
      return QueryThreads.join(task);
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  /** The rows and cells that were skipped. */
  Corruption damage() {
    return damage.sum();
  }

  private Queue<GroupResult> answer() {
    TreeMap<Bytes, GroupResult> all = new TreeMap<>();
    for (Segment span : spans) {
      first(span.ways())
          .forEach(
              (key, group) ->
                  all.merge(
                      key,
                      GroupResult.of(group, span.fromMillis(), span.toMillis()),
                      GroupResult::followedBy));
    }
    return new ArrayDeque<>(all.values());
  }

  private SortedMap<Bytes, SeriesGroup> first(List<ScanPlan> ways) {
    SortedMap<Bytes, SeriesGroup> groups = Collections.emptySortedMap();
    for (ScanPlan way : ways) {
      groups = sweep(way);
      if (!groups.isEmpty()) {
        taken.add(way);
        break;
      }
    }
    return groups;
  }

  private SortedMap<Bytes, SeriesGroup> sweep(ScanPlan reading) {
    if (reading.plan().chosen() instanceof AccessPath.Picked picked && picked.tsuids().isEmpty()) {
      return Collections.emptySortedMap();
    }
    int salts = reading.keys().schema().distinctSalts();
    boolean together = salts == 1 || reading.plan().chosen() instanceof AccessPath.Picked;
    try {
      return sweep(reading, together ? 1 : Math.min(salts, threads.count()));
    } catch (SeriesScan.SaltsMixed e) {
      return sweep(reading, 1);
    }
  }

  private SortedMap<Bytes, SeriesGroup> sweep(ScanPlan reading, int parts) {
    SliceCutting cutting = SliceCutting.of(reading);
    CorruptionTotal passedOver = new CorruptionTotal();
    List<SliceStream> streams = streams(reading, cutting, parts);
    try (SeriesScan sweep = new SeriesScan(reading, cutting, parts > 1)) {
      streams.forEach(SliceStream::readAhead);
      for (SliceStream stream = next(streams); stream != null; stream = next(streams)) {
        try (Slice.Content content = stream.next()) {
          if (content != null) {
            passedOver.add(content.damage());
            sweep.accept(content, covered(streams));
          }
        }
      }
      SortedMap<Bytes, SeriesGroup> groups = sweep.finish();
      if (reading.source().isPoints() && reading.plan().chosen() instanceof AccessPath.Scanned) {
        reading.scanned().accept(sweep.tsuids());
      }
      damage.add(passedOver.sum());
      return groups;
    } finally {
      streams.forEach(SliceStream::close);
    }
  }

  private List<SliceStream> streams(ScanPlan reading, SliceCutting cutting, int parts) {
    int salts = reading.keys().schema().distinctSalts();
    ScanRange range = reading.plan().range();
    long seconds = range.stopSeconds() - range.startSeconds();
    long length = Math.min(seconds / (2L * threads.count()), LONGEST_FIRST_SLICE);
    int ahead = Math.max(1, (threads.count() + 1) / parts);
    List<SliceStream> streams = new ArrayList<>(parts);
    for (int i = 0; i < parts; i++) {
      streams.add(
          new SliceStream(
              reading,
              cutting,
              threads,
              salts * i / parts,
              salts * (i + 1) / parts,
              Math.max(SHORTEST_FIRST_SLICE, length),
              ahead));
    }
    return streams;
  }

  /** The stream that is farthest behind, or null if all are done. */
  private static @Nullable SliceStream next(List<SliceStream> streams) {
    return streams.stream()
        .filter(stream -> !stream.isDone())
        .min(Comparator.comparingLong(SliceStream::covered))
        .orElse(null);
  }

  private static long covered(List<SliceStream> streams) {
    return streams.stream().mapToLong(SliceStream::covered).min().orElseThrow();
  }

  /** Ends the query. May be repeated. */
  @Override
  public void close() {
    if (!task.isDone()) {
      use.cancel("its result was closed");
    }
    QueryThreads.await(task);
    use.close();
  }
}
