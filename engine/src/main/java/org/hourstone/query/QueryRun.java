package org.hourstone.query;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.hourstone.kv.Bytes;
import org.hourstone.series.MemoryLease;
import org.jspecify.annotations.Nullable;

/** A running query: reads its rows, then returns its groups one by one. */
final class QueryRun {
  private final Query query;
  private final List<Segment<Plan>> segments;
  private final Supplier<QueryContext> uses;
  private final MemoryLease plans;
  private final QueryThreads threads;
  private final Consumer<Collection<byte[]>> scanned;
  private volatile QueryContext use;
  private volatile FutureTask<Queue<GroupResult>> task;

  /** Guarded by this. */
  private boolean isRequested;

  /** Guarded by this. */
  private boolean isClosed;

  private volatile CorruptionTotal damage = new CorruptionTotal();

  /** The plans that had data. */
  private final Set<Plan> taken =
      Collections.synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>(1)));

  /**
   * @param query as requested
   * @param segments the parts of its range, in the order of time
   * @param uses the resources for reading it, once or again
   * @param plans the memory of the segments, closed with this
   * @param scanned receives the TSUIDs of series of points that were found by scanning
   */
  QueryRun(
      Query query,
      List<Segment<Plan>> segments,
      Supplier<QueryContext> uses,
      MemoryLease plans,
      QueryThreads threads,
      Consumer<Collection<byte[]>> scanned) {
    this.query = query;
    this.segments = segments;
    this.uses = uses;
    this.plans = plans;
    this.threads = threads;
    this.scanned = scanned;
    this.use = uses.get();
    this.task = new FutureTask<>(this::answer);
  }

  List<Segment<Plan>> segments() {
    return segments;
  }

  /** Whether a part of the range was read with this plan; valid when the groups are complete. */
  boolean isTaken(Plan plan) {
    return taken.contains(plan);
  }

  Query query() {
    return query;
  }

  QueryContext use() {
    return use;
  }

  /** Starts reading the rows in another thread. */
  void start() {
    threads.executeQuery(task);
  }

  /** The groups, once all rows are read. Rethrows a failure to read them. */
  Queue<GroupResult> groups() {
    FutureTask<Queue<GroupResult>> current;
    synchronized (this) {
      isRequested = true;
      current = task;
    }
    return QueryThreads.join(current);
  }

  /**
   * If the groups were not requested yet, gives back the memory of what was read ahead: it is read
   * again when they are.
   *
   * @return whether there was any
   */
  synchronized boolean putBack() {
    if (isRequested || isClosed) {
      return false;
    }
    boolean held = use.memory().bytes() > 0;
    restart();
    return held;
  }

  /** As if nothing had been read yet. */
  synchronized void restart() {
    if (!isClosed) {
      end();
      taken.clear();
      damage = new CorruptionTotal();
      use = uses.get();
      task = new FutureTask<>(this::answer);
    }
  }

  /** The rows and cells that were skipped. */
  Corruption damage() {
    return damage.sum();
  }

  private Queue<GroupResult> answer() {
    use.resume();
    try {
      TreeMap<Bytes, GroupResult> all = new TreeMap<>();
      for (Segment<Plan> segment : segments) {
        first(segment.sources())
            .forEach(
                (key, group) ->
                    all.merge(
                        key,
                        GroupResult.of(group, segment.fromMillis(), segment.toMillis()),
                        GroupResult::followedBy));
      }
      return new ArrayDeque<>(all.values());
    } finally {
      use.pause();
    }
  }

  private SortedMap<Bytes, SeriesGroup> first(List<Plan> plans) {
    SortedMap<Bytes, SeriesGroup> groups = Collections.emptySortedMap();
    for (Plan plan : plans) {
      groups = scan(plan);
      if (!groups.isEmpty()) {
        taken.add(plan);
        break;
      }
    }
    return groups;
  }

  private SortedMap<Bytes, SeriesGroup> scan(Plan plan) {
    if (plan.isEmpty()) {
      return Collections.emptySortedMap();
    }
    int parts = plan.isScan() ? Math.min(plan.keys().schema().distinctSalts(), threads.count()) : 1;
    QueryContext.Counts before = use.counts();
    SortedMap<Bytes, SeriesGroup> groups = scan(plan, parts);
    if (groups == null) {
      use.resetTo(before);
      groups = Objects.requireNonNull(scan(plan, 1));
    }
    return groups;
  }

  /**
   * The groups of a plan, in the order of their keys.
   *
   * @param parts how many parts of the salt buckets are read apart
   * @return null if a series is in two of these
   */
  private @Nullable SortedMap<Bytes, SeriesGroup> scan(Plan plan, int parts) {
    SliceCutting cutting = SliceCutting.of(plan);
    CorruptionTotal skipped = new CorruptionTotal();
    SliceReaders readers = new SliceReaders(threads);
    List<SliceStream> streams = new ArrayList<>(parts);
    for (int i = 0; i < parts; i++) {
      streams.add(new SliceStream(cutting, i, parts, use, readers));
    }
    try (SeriesScan scan = new SeriesScan(cutting, parts > 1, use)) {
      streams.forEach(SliceStream::readAhead);
      for (SliceStream stream = next(streams); stream != null; stream = next(streams)) {
        try (Slice.Content content = stream.next()) {
          if (content != null) {
            skipped.add(content.damage());
            scan.accept(content, covered(streams));
          }
        }
        if (scan.isMixed()) {
          return null;
        }
      }
      SortedMap<Bytes, SeriesGroup> groups = scan.finish();
      if (plan.source().isPoints() && plan.isScan()) {
        scanned.accept(scan.tsuids());
      }
      damage.add(skipped.sum());
      return groups;
    } finally {
      streams.forEach(SliceStream::close);
      readers.close();
    }
  }

  /** The stream that is farthest behind, or null if all are done. */
  private static @Nullable SliceStream next(List<SliceStream> streams) {
    SliceStream last = null;
    for (SliceStream stream : streams) {
      if (!stream.isDone() && (last == null || stream.covered() < last.covered())) {
        last = stream;
      }
    }
    return last;
  }

  private static long covered(List<SliceStream> streams) {
    long least = Long.MAX_VALUE;
    for (SliceStream stream : streams) {
      least = Math.min(least, stream.covered());
    }
    return least;
  }

  /** Ends the query. Returns false if it had been ended before. */
  synchronized boolean close() {
    if (isClosed) {
      return false;
    }
    isClosed = true;
    end();
    plans.close();
    return true;
  }

  private void end() {
    if (!task.isDone()) {
      use.cancel();
    }
    QueryThreads.await(task);
    threads.forget(task); // else it is held, with its groups, until a thread is free
    use.close();
  }
}
