package org.hourstone.query.run;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;
import org.hourstone.kv.Bytes;
import org.hourstone.query.Corruption;
import org.hourstone.query.QueryContext;
import org.hourstone.query.QueryThreads;
import org.hourstone.query.RequestBudget;
import org.hourstone.query.plan.Plan;
import org.hourstone.query.plan.SliceCutting;
import org.hourstone.query.rows.CorruptionTotal;
import org.hourstone.query.rows.SeriesChunk;
import org.hourstone.query.rows.SeriesGroup;
import org.hourstone.query.rows.Slice;
import org.jspecify.annotations.Nullable;

/**
 * Reads rows once, for one query or for several, and combines the series of each. Other threads
 * read slices ahead and, once they have nothing to read, combine series, too. For one thread.
 */
final class RowReading {
  /**
   * The result of a query.
   *
   * @param groups by their keys, in order
   * @param corruption the rows and cells that were skipped
   */
  record Result(SortedMap<Bytes, SeriesGroup> groups, Corruption corruption) {}

  private final Plan rows;
  private final List<QueryPart> parts;
  private final SliceCutting cutting;
  private final QueryThreads threads;
  private final Consumer<Collection<byte[]>> scanned;

  /**
   * @param rows the plan of the rows
   * @param parts of the queries
   * @param scanned receives the TSUIDs of series of points that were found by scanning
   */
  RowReading(
      Plan rows,
      List<QueryPart> parts,
      QueryThreads threads,
      Consumer<Collection<byte[]>> scanned) {
    this.rows = rows;
    this.parts = parts;
    this.cutting = SliceCutting.of(rows, parts.stream().map(QueryPart::plan).toList());
    this.threads = threads;
    this.scanned = scanned;
  }

  /** The plan of the rows that are read. */
  Plan rows() {
    return rows;
  }

  /** What each of the queries takes. */
  List<QueryPart> parts() {
    return parts;
  }

  SliceCutting cutting() {
    return cutting;
  }

  /** Whether corruption is skipped. If there are several queries, it is reported to each apart. */
  boolean skipsCorruption() {
    return rows.options().cells().skipCorruption() && parts.size() == 1;
  }

  /** The budget of the request. */
  RequestBudget budget() {
    return parts.get(0).use().budget();
  }

  /** Throws if one of the queries may not continue. */
  void check() {
    for (QueryPart part : parts) {
      part.use().checkCancelled();
    }
    budget().check();
  }

  /** How many parts of the salt buckets are read apart. */
  static int salts(Plan rows, QueryThreads threads) {
    return rows.isScan() ? Math.min(rows.keys().schema().distinctSalts(), threads.count()) : 1;
  }

  /** Reads the rows; the results are in the order of the queries. */
  List<Result> read() {
    int salts = salts(rows, threads);
    List<QueryContext.Counts> before = parts.stream().map(part -> part.use().counts()).toList();
    List<Result> results = read(salts);
    if (results == null) {
      for (int i = 0; i < parts.size(); i++) {
        parts.get(i).use().resetTo(before.get(i));
      }
      results = Objects.requireNonNull(read(1));
    }
    return results;
  }

  /**
   * Reads the rows.
   *
   * @param salts how many parts of the salt buckets are read apart
   * @return null if a series is in two of these
   */
  private @Nullable List<Result> read(int salts) {
    List<SeriesScan> scans = new ArrayList<>(parts.size());
    CorruptionTotal skipped = new CorruptionTotal();
    try (SliceReaders readers = new SliceReaders(threads)) {
      for (QueryPart part : parts) {
        scans.add(new SeriesScan(part, cutting.downsamples(part.plan()), salts > 1));
      }
      return pump(scans, skipped, readers, salts, Long.MAX_VALUE)
          ? finish(scans, skipped.sum(), readers)
          : null;
    } finally {
      scans.forEach(SeriesScan::close);
    }
  }

  /**
   * Reads the rows, slice by slice.
   *
   * @param scans receive them: one for each query
   * @param salts how many parts of the salt buckets are read apart
   * @param untilSeconds where the values end, if the last rows are longer
   * @return false if a series is in two of these parts
   */
  boolean pump(
      List<SeriesScan> scans,
      CorruptionTotal skipped,
      SliceReaders readers,
      int salts,
      long untilSeconds) {
    List<SliceStream> streams = new ArrayList<>(salts);
    for (int i = 0; i < salts; i++) {
      streams.add(new SliceStream(this, i, salts, readers));
    }
    try {
      streams.forEach(SliceStream::readAhead);
      for (SliceStream stream = next(streams); stream != null; stream = next(streams)) {
        try (Slice.Content content = stream.next()) {
          if (content != null) {
            skipped.add(content.corruption());
            accept(content, Math.min(untilSeconds, covered(streams)), scans, readers);
          }
        }
        if (scans.stream().anyMatch(SeriesScan::isMixed)) {
          return false;
        }
      }
      return true;
    } finally {
      streams.forEach(SliceStream::close);
    }
  }

  /** Combines what was read for each query. */
  private static void accept(
      Slice.Content content, long covered, List<SeriesScan> scans, SliceReaders readers) {
    if (scans.size() == 1) {
      scans.get(0).accept(content.series().get(0), covered);
      return;
    }
    List<FutureTask<SeriesScan>> tasks = new ArrayList<>(scans.size());
    for (int i = 0; i < scans.size(); i++) {
      SeriesScan scan = scans.get(i);
      Map<Bytes, SeriesChunk> series = content.series().get(i);
      tasks.add(new FutureTask<>(() -> scan.accept(series, covered), scan));
    }
    readers.joinAll(tasks);
  }

  private List<Result> finish(List<SeriesScan> scans, Corruption corruption, SliceReaders readers) {
    List<FutureTask<SortedMap<Bytes, SeriesGroup>>> tasks = new ArrayList<>(scans.size());
    scans.forEach(scan -> tasks.add(new FutureTask<>(scan::finish)));
    List<SortedMap<Bytes, SeriesGroup>> groups = readers.joinAll(tasks);
    if (rows.source().isPoints() && rows.isScan()) {
      scans.forEach(scan -> scanned.accept(scan.tsuids()));
    }
    scans.forEach(SeriesScan::keepGroups);
    return groups.stream().map(each -> new Result(each, corruption)).toList();
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
}
