package org.hourstone.write;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.hourstone.codec.Timestamps;
import org.hourstone.internal.Backoff;
import org.hourstone.kv.BatchException;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.jctools.queues.MpscBlockingConsumerArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * One thread that writes the points of its share of the series, and cells that are no plain points.
 *
 * <p>Everything handed to {@link #add} is either stored or failed through its receipt, in every
 * case: the queue is bounded and makes its writers wait, a batch is repeated while the store says
 * that may help, and what is left when the thread has ended is failed by whoever finds it. Points
 * of one series are written in the order they were added. Only the flusher's thread takes from the
 * queue and touches {@link Series#openRow}; after it has ended, {@link #failLeftovers} does so
 * under its lock.
 */
final class Flusher {
  private static final long FULL_QUEUE_PAUSE_NANOS = 100_000;

  private final KeyValueStore store;
  private final Family family;
  private final WriteOptions options;
  private final Backoff backoff;
  private final WrittenRows written;
  private final MpscBlockingConsumerArrayQueue<Work> queue;
  private final Thread thread;
  private volatile boolean closed;

  /** Rows that are being written. */
  private List<? extends RowWrite> writing = List.of();

  /** Rows with points of the batch in hand, by key. */
  private final Map<Bytes, RowBatch> rows = new LinkedHashMap<>();

  /** Rows with other cells of the batch in hand, by family and key. */
  private final Map<Family, Map<Bytes, CellBatch>> cellRows = new LinkedHashMap<>();

  /** The series whose open row is one of these. */
  private final List<Series> open = new ArrayList<>();

  Flusher(
      KeyValueStore store,
      Family family,
      WriteOptions options,
      Backoff backoff,
      WrittenRows written,
      String name) {
    this.store = store;
    this.family = family;
    this.options = options;
    this.backoff = backoff;
    this.written = written;
    this.queue = new MpscBlockingConsumerArrayQueue<>(options.queuePoints());
    this.thread = new WritingThread(this::run, name);
  }

  void start() {
    thread.start();
  }

  /**
   * Queues a point, waiting while the queue is full.
   *
   * @throws IllegalStateException if the flusher is closed; the point is not queued
   * @throws StoreException NOT_APPLIED if the thread is interrupted while it waits
   */
  void add(Work work) {
    if (Thread.currentThread() instanceof WritingThread) {
      throw new IllegalStateException(
          "called from a callback of a write, on a thread that writes: use thenRunAsync or the like");
    }
    while (true) {
      if (closed) {
        throw new IllegalStateException("the writer of points is closed");
      }
      if (queue.offer(work)) {
        break;
      }
      if (Thread.currentThread().isInterrupted()) {
        throw new StoreException(Outcome.NOT_APPLIED, "interrupted while waiting to write a point");
      }
      LockSupport.parkNanos(FULL_QUEUE_PAUSE_NANOS);
    }
    if (closed) {
      failLeftovers();
    }
  }

  /** Completed when all that is queued now has been written or has failed. */
  CompletableFuture<@Nullable Void> barrier() {
    CompletableFuture<@Nullable Void> reached = new CompletableFuture<>();
    add(new Work.Barrier(reached));
    return reached;
  }

  /** Writes what is queued and ends the thread. May be repeated. */
  void close() {
    closed = true;
    queue.offer(new Work.Barrier(new CompletableFuture<>())); // wakes the thread if it is waiting
    joinThread();
    failLeftovers();
  }

  private void joinThread() {
    boolean interrupted = false;
    while (true) {
      try {
        thread.join();
        break;
      } catch (InterruptedException e) {
        interrupted = true; // points must not be abandoned half-way; the flag is restored below
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Fails what was queued by writers that saw the flusher open when it was just closing. */
  private synchronized void failLeftovers() {
    joinThread();
    StoreException reason = new StoreException(Outcome.NOT_APPLIED, "closed before it was written");
    for (Work work = queue.poll(); work != null; work = queue.poll()) {
      work.fail(reason);
    }
  }

  private void run() {
    List<Work> taken = new ArrayList<>();
    while (true) {
      taken.clear();
      queue.drain(taken::add, options.batchPoints());
      if (taken.isEmpty()) {
        // Not drain's word alone: it passes over a slot that a writer has taken but not filled yet.
        Work next = closed ? queue.poll() : take();
        if (next == null) {
          return;
        }
        taken.add(next);
        queue.drain(taken::add, options.batchPoints() - 1);
      }
      write(taken);
    }
  }

  private Work take() {
    while (true) {
      try {
        return queue.take();
      } catch (InterruptedException e) {
        // Nobody has a reason to interrupt this thread; it ends by close() alone.
      }
    }
  }

  /** Writes what was taken. Whatever is thrown, each of its points is told of. */
  private void write(List<Work> taken) {
    int next = 0;
    try {
      for (; next < taken.size(); next++) {
        Work work = taken.get(next);
        if (work instanceof PendingPoint point) {
          add(point);
        } else if (work instanceof PendingCell cell) {
          add(cell);
        } else if (work instanceof Work.Barrier barrier) {
          writeRows();
          barrier.reached().complete(null);
        } else if (work instanceof Work.Cells cells) {
          writeRows();
          rows.put(new Bytes(cells.mutation().row()), new RowBatch(cells));
          writeRows();
        }
      }
      writeRows();
    } catch (RuntimeException | Error e) {
      RuntimeException reason =
          e instanceof RuntimeException known
              ? known
              : new StoreException(Outcome.UNKNOWN, "the writer of points failed: " + e, e);
      giveUp(reason);
      for (Work work : taken.subList(next, taken.size())) {
        RowWrite.tell(() -> work.fail(reason));
      }
    }
  }

  private void giveUp(RuntimeException reason) {
    writing.forEach(row -> row.failed(reason));
    writing = List.of();
    rows.values().forEach(row -> row.failed(reason));
    rows.clear();
    cellRows.values().forEach(batch -> batch.values().forEach(row -> row.failed(reason)));
    cellRows.clear();
    open.forEach(series -> series.openRow = null);
    open.clear();
  }

  private void add(PendingPoint point) {
    if (!rowOf(point).add(point, options)) {
      writeRows();
      rowOf(point).add(point, options);
    }
  }

  private RowBatch rowOf(PendingPoint point) {
    Series series = point.series();
    long baseTime = Timestamps.baseTime(point.timestamp());
    RowBatch last = series.openRow;
    if (last != null && last.isFor(baseTime)) {
      return last;
    }
    byte[] key = series.rowKey(baseTime);
    RowBatch row = rows.computeIfAbsent(new Bytes(key), k -> new RowBatch(key, baseTime));
    series.openRow = row;
    open.add(series);
    return row;
  }

  private void add(PendingCell cell) {
    cellRows
        .computeIfAbsent(cell.family(), f -> new LinkedHashMap<>())
        .computeIfAbsent(new Bytes(cell.row()), key -> new CellBatch(cell.row()))
        .add(cell);
  }

  private void writeRows() {
    List<RowBatch> points = new ArrayList<>(rows.values());
    rows.clear();
    open.forEach(series -> series.openRow = null);
    open.clear();
    writeAll(family, points);
    for (Map.Entry<Family, Map<Bytes, CellBatch>> cells : cellRows.entrySet()) {
      writeAll(cells.getKey(), new ArrayList<>(cells.getValue().values()));
    }
    cellRows.clear();
  }

  private <R extends RowWrite> void writeAll(Family to, List<R> batch) {
    List<R> left = batch;
    for (int failures = 0; !left.isEmpty(); ) {
      writing = left;
      List<R> unapplied = tryWrite(to, left, ++failures == options.attempts());
      if (!unapplied.isEmpty()) {
        backoff.pause(failures);
      }
      left = unapplied;
    }
    writing = List.of();
  }

  /**
   * Offers rows to the store once.
   *
   * @return those worth another attempt: a put may be repeated whatever became of it
   */
  private <R extends RowWrite> List<R> tryWrite(Family to, List<R> batch, boolean lastAttempt) {
    List<RowMutation> mutations = new ArrayList<>(batch.size());
    for (RowWrite row : batch) {
      mutations.add(row.mutation(options));
    }
    StoreException failure = null;
    try {
      store.mutate(to, mutations);
    } catch (StoreException e) {
      failure = e;
    }
    List<R> again = new ArrayList<>();
    List<R> stored = new ArrayList<>(batch.size());
    for (int i = 0; i < batch.size(); i++) {
      R row = batch.get(i);
      Outcome outcome = outcome(failure, i);
      if (failure == null || outcome == null) {
        stored.add(row);
      } else if (outcome == Outcome.REJECTED || lastAttempt) {
        row.failed(outcome, failure);
      } else {
        row.unapplied(outcome);
        again.add(row);
      }
    }
    tellOfPoints(stored);
    stored.forEach(RowWrite::stored);
    return again;
  }

  private void tellOfPoints(List<? extends RowWrite> stored) {
    List<RowBatch> points = new ArrayList<>(stored.size());
    for (RowWrite row : stored) {
      if (row instanceof RowBatch withPoints) {
        points.add(withPoints);
      }
    }
    if (!points.isEmpty()) {
      RowWrite.tell(
          () ->
              written.written(
                  points.stream().map(RowBatch::key).toList(),
                  points.stream().map(RowBatch::size).toList()));
    }
  }

  /** What became of the {@code i}th element of a batch that failed; null if it was applied. */
  private static @Nullable Outcome outcome(@Nullable StoreException failure, int i) {
    if (failure instanceof BatchException parts) {
      return parts.outcomes().get(i);
    }
    return failure == null ? null : failure.outcome();
  }

  /** Told from others, because it must not wait for itself. */
  private static final class WritingThread extends Thread {
    WritingThread(Runnable task, String name) {
      super(task, name);
      setDaemon(true);
    }
  }
}
