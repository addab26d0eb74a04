package org.hourstone.write;

import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.hourstone.error.RequestException;
import org.hourstone.head.HeadShard;
import org.hourstone.head.UnsealedRowsException;
import org.hourstone.head.WrittenRows;
import org.hourstone.internal.Deadline;
import org.hourstone.internal.EngineThread;
import org.hourstone.internal.OutOfMemoryReport;
import org.hourstone.kv.Family;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * Takes points whose series are known, and hands them to the threads that write.
 *
 * <p>All points of a series go to one thread, in the order in which they are taken. A point that is
 * taken has its receipt notified exactly once; one that is refused by an exception never has.
 * Thread-safe.
 */
final class PointIntake {
  private final SeriesTable series;
  private final PointCheck check;
  private final WriteOptions options;
  private final InstantSource clock;
  private final Admission admission;
  private final WrittenRows written;
  private final Flusher[] flushers;

  /** Guarded by this; null if points are not mirrored. */
  private @Nullable PointMirror mirror;

  /** Columns of points that were written: as many as the queues may have of them. */
  private final BlockingQueue<PointColumns> spares;

  /**
   * @param points the family of their rows
   * @param shards of the open rows, one for each thread
   */
  PointIntake(
      Family points,
      SeriesTable series,
      PointCheck check,
      WriteOptions options,
      InstantSource clock,
      Admission admission,
      WrittenRows written,
      List<HeadShard> shards) {
    this.series = series;
    this.check = check;
    this.options = options;
    this.clock = clock;
    this.admission = admission;
    this.written = written;
    this.flushers = new Flusher[shards.size()];
    long queued = (long) flushers.length * options.batching().queuePoints();
    this.spares =
        new ArrayBlockingQueue<>((int) Math.max(flushers.length, queued / PointColumns.MOST));
    for (int i = 0; i < flushers.length; i++) {
      flushers[i] =
          new Flusher(
              shards.get(i),
              written,
              row -> admission.admitRow(points, row),
              options,
              clock,
              "hourstone-flusher-" + i);
    }
  }

  /** Starts the threads. Until then points wait. */
  void start() {
    for (Flusher flusher : flushers) {
      flusher.start();
    }
  }

  boolean isCurrent(Series known) {
    return series.isCurrent(known);
  }

  Series resolve(String metric, Map<String, String> tags) {
    return series.resolve(metric, tags);
  }

  /**
   * @throws RequestException if such a point may not be written
   */
  void check(String metric, Map<String, String> tags, long timestamp, PointValue value) {
    if (!check.passes(timestamp, value)) {
      throw check.failure(metric, tags, timestamp, value);
    }
  }

  /** As for a {@link PointValue}, without an object for the value. */
  void check(String metric, Map<String, String> tags, long timestamp, int flags, long raw) {
    if (!check.passes(timestamp) || !PointValue.isFinite(flags, raw)) {
      throw check.failure(metric, tags, timestamp, new PointValue(flags, raw));
    }
  }

  void take(Series of, long timestamp, PointValue value, Receipt receipt, long token) {
    admission.admit();
    if (receipt instanceof HurriedFuture future) {
      future.handedIn(of, timestamp);
    }
    flusher(of).add(new Work.Point(of, timestamp, value.flags(), value.raw(), receipt, token));
  }

  /** Empty columns for {@link PointColumns#MOST} points, which may be reused. */
  PointColumns columns() {
    PointColumns spare = spares.poll();
    return spare == null ? new PointColumns(PointColumns.MOST, spares) : spare;
  }

  /** How many threads share the series among them. */
  int shares() {
    return flushers.length;
  }

  /** Which of them writes a series. */
  int share(Series of) {
    return Math.floorMod(of.hashCode(), flushers.length);
  }

  private Flusher flusher(Series of) {
    return flushers[share(of)];
  }

  /**
   * Queues points of one share of the series as one piece of work. The receipt receives the outcome
   * of each, also if it is refused.
   *
   * @param points not used by the caller any more
   */
  void take(PointColumns points, int share, Receipt receipt) {
    try {
      admission.admit();
      flushers[share].add(new Work.Points(points, receipt));
    } catch (RuntimeException e) {
      points.fail(receipt, e);
    } catch (OutOfMemoryError e) {
      points.fail(receipt, outOfMemory(e));
    }
  }

  static StoreException outOfMemory(OutOfMemoryError cause) {
    OutOfMemoryReport.report(cause);
    return new StoreException(Outcome.NOT_APPLIED, "out of memory", cause);
  }

  /** Takes a ready-made cell. */
  void take(Work.Cells cell) {
    admission.admit();
    admission.admitRow(cell.family(), cell.mutation().row());
    int share = Math.floorMod(Arrays.hashCode(cell.mutation().row()), flushers.length);
    flushers[share].add(cell);
  }

  /** Has the point written soon, and those of its row. */
  void hurry(Series of, long timestamp) {
    flusher(of).hurry(of, timestamp);
  }

  /** As {@link PointWriter#flush}. */
  void flush() {
    CompletableFuture<?>[] barriers =
        Arrays.stream(flushers).map(Flusher::barrier).toArray(CompletableFuture<?>[]::new);
    try {
      CompletableFuture.allOf(barriers).join();
    } catch (CompletionException e) {
      throw worst(barriers);
    }
    written.await();
  }

  /** As {@link PointWriter#catchUp}. */
  void catchUp() {
    CompletableFuture.allOf(
            Arrays.stream(flushers).map(Flusher::look).toArray(CompletableFuture<?>[]::new))
        .join();
    written.await();
  }

  /** A failure of another kind than rows that the store refuses, if there is one. */
  private static RuntimeException worst(CompletableFuture<?>[] barriers) {
    RuntimeException worst = null;
    for (CompletableFuture<?> barrier : barriers) {
      try {
        barrier.join();
      } catch (CompletionException e) {
        RuntimeException failure = e.getCause() instanceof RuntimeException cause ? cause : e;
        worst = worst == null || worst instanceof UnsealedRowsException ? failure : worst;
      }
    }
    return Objects.requireNonNull(worst);
  }

  WriterStats stats() {
    WriterStats sum = new WriterStats(0, 0, 0, 0, 0, 0, null);
    for (Flusher flusher : flushers) {
      sum = sum.plus(flusher.stats());
    }
    return sum;
  }

  /** The number of stored points; allocates nothing. */
  long stored() {
    long sum = 0;
    for (Flusher flusher : flushers) {
      sum += flusher.stored();
    }
    return sum;
  }

  /** As {@link PointWriter#mirrorTo}. */
  synchronized void mirrorTo(PointMirror to) {
    if (mirror != null) {
      throw new IllegalStateException("points are mirrored already");
    }
    mirror = to;
    for (Flusher flusher : flushers) {
      flusher.mirrorTo(to.sink());
    }
  }

  /** As {@link PointWriter#mirror}. */
  synchronized @Nullable PointMirror mirror() {
    return mirror;
  }

  /** As {@link PointWriter#close}. */
  void close() {
    EngineThread.checkMayWait();
    Deadline deadline = Deadline.in(options.closing().toMillis(), clock);
    for (Flusher flusher : flushers) {
      flusher.beginClose(deadline);
    }
    for (Flusher flusher : flushers) {
      flusher.awaitEnd(deadline);
    }
    PointMirror last = mirror();
    if (last != null) {
      last.close();
    }
  }
}
