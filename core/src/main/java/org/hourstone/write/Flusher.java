package org.hourstone.write;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.Family;
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
 * of one row are written in the order they were added. Only the flusher's thread takes from the
 * queue and touches {@link Series#openRow}; after it has ended, {@link #failLeftovers} does so
 * under its lock.
 */
final class Flusher {
  private static final long FULL_QUEUE_PAUSE_NANOS = 100_000;

  /** How often it is looked whether somebody waits for what is held. */
  private static final long LOOK_MILLIS = 1000;

  private final Family family;
  private final WriteOptions options;
  private final InstantSource clock;
  private final BatchWriter writer;
  private final MpscBlockingConsumerArrayQueue<Work> queue;
  private final Thread thread;
  private volatile boolean closed;

  /** Rows with points that are held back. */
  private final HeldRows held;

  /** Rows with points that are written next, by key. */
  private final Map<Bytes, RowBatch> due = new LinkedHashMap<>();

  /** Rows with other cells that are written next, by family and key. */
  private final Map<Family, Map<Bytes, CellBatch>> cellRows = new LinkedHashMap<>();

  private long lookedAt;

  Flusher(
      Family family, WriteOptions options, InstantSource clock, BatchWriter writer, String name) {
    this.family = family;
    this.options = options;
    this.clock = clock;
    this.writer = writer;
    this.held = new HeldRows(options, clock);
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

  /**
   * Makes the thread look at once for what somebody waits for, of all that is queued or held now.
   * Never waits.
   */
  void lookForAwaited() {
    if (!options.holds() || Thread.currentThread() instanceof WritingThread) {
      return;
    }
    // Where the queue is full the thread is awake, and looks within a second by itself.
    var unused = queue.offer(new Work.Look());
  }

  /** Writes what is queued and held, and ends the thread. May be repeated. */
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
    try {
      List<Work> taken = new ArrayList<>();
      while (take(taken)) {
        write(taken);
      }
    } finally {
      // None, unless something was thrown that nobody expects.
      StoreException reason = new StoreException(Outcome.UNKNOWN, "the writer of points ended");
      held.takeAll().forEach(row -> row.failed(reason));
    }
  }

  /**
   * Takes what is queued, waiting for it, but not beyond the time when something held gets due.
   *
   * @return false if nothing more will come
   */
  private boolean take(List<Work> taken) {
    taken.clear();
    queue.drain(taken::add, options.batchPoints());
    if (taken.isEmpty()) {
      // Not drain's word alone: it passes over a slot that a writer has taken but not filled yet.
      boolean closing = closed;
      Work next = closing ? queue.poll() : await();
      if (next != null) {
        taken.add(next);
        queue.drain(taken::add, options.batchPoints() - 1);
      } else if (closing) {
        if (held.isEmpty()) {
          return false;
        }
        taken.add(new Work.Barrier(new CompletableFuture<>()));
      }
    }
    return true;
  }

  private @Nullable Work await() {
    while (true) {
      try {
        return held.isEmpty()
            ? queue.take()
            : queue.poll(Math.min(LOOK_MILLIS, held.millisUntilDue()), TimeUnit.MILLISECONDS);
      } catch (InterruptedException e) {
        // Nobody has a reason to interrupt this thread; it ends by close() alone.
      }
    }
  }

  /** Writes what was taken and is due. Whatever is thrown, each point is told of. */
  private void write(List<Work> taken) {
    boolean look = taken.isEmpty() || isTimeToLook();
    int next = 0;
    try {
      for (; next < taken.size(); next++) {
        Work work = taken.get(next);
        if (work instanceof PendingPoint point) {
          add(point);
        } else if (work instanceof PendingCell cell) {
          add(cell);
        } else if (work instanceof Work.Cells cells) {
          add(cells);
        } else if (work instanceof Work.Barrier barrier) {
          writeNext(held.takeAll());
          writeDue();
          barrier.reached().complete(null);
        } else {
          look = true;
        }
      }
      if (look) {
        lookedAt = clock.millis();
        held.lookForAwaited();
      }
      writeNext(held.takeDue());
      writeDue();
    } catch (RuntimeException | Error e) {
      RuntimeException reason = reason(e);
      giveUp(reason);
      for (Work work : taken.subList(next, taken.size())) {
        RowWrite.tell(() -> work.fail(reason));
      }
    }
  }

  private static RuntimeException reason(Throwable thrown) {
    return thrown instanceof RuntimeException known
        ? known
        : new StoreException(Outcome.UNKNOWN, "the writer of points failed: " + thrown, thrown);
  }

  private boolean isTimeToLook() {
    long now = options.holds() ? clock.millis() : 0;
    return now - lookedAt >= LOOK_MILLIS || now < lookedAt;
  }

  /** Fails what was to be written; what is held may still fare better. */
  private void giveUp(RuntimeException reason) {
    writer.giveUp(reason);
    due.values().forEach(row -> row.failed(reason));
    due.clear();
    cellRows.values().forEach(batch -> batch.values().forEach(row -> row.failed(reason)));
    cellRows.clear();
  }

  private void add(PendingPoint point) {
    if (!held.add(point)) {
      RowBatch earlier = held.take(point);
      if (earlier != null) {
        writeNext(List.of(earlier));
      }
      if (!held.add(point)) {
        throw new IllegalStateException("a row without points takes none");
      }
    }
  }

  private void add(PendingCell cell) {
    cellRows
        .computeIfAbsent(cell.family(), f -> new LinkedHashMap<>())
        .computeIfAbsent(new Bytes(cell.row()), key -> new CellBatch(cell.row()))
        .add(cell);
  }

  private void add(Work.Cells cells) {
    RowBatch earlier = held.take(cells.mutation().row());
    if (earlier != null) {
      writeNext(List.of(earlier));
    }
    writeNext(List.of(new RowBatch(cells)));
  }

  /** Rows are to be written; after what is to be written of the same row already. */
  private void writeNext(List<RowBatch> rows) {
    int next = 0;
    try {
      for (; next < rows.size(); next++) {
        RowBatch row = rows.get(next);
        Bytes key = new Bytes(row.key());
        if (due.containsKey(key)) {
          writeDue();
        }
        due.put(key, row);
      }
    } catch (RuntimeException | Error e) {
      // They are held no longer and not due yet, so nobody else would tell of them.
      RuntimeException reason = reason(e);
      rows.subList(next, rows.size()).forEach(row -> row.failed(reason));
      throw e;
    }
  }

  private void writeDue() {
    List<RowBatch> points = List.copyOf(due.values());
    due.clear();
    writer.write(family, points);
    for (Map.Entry<Family, Map<Bytes, CellBatch>> cells : cellRows.entrySet()) {
      writer.write(cells.getKey(), List.copyOf(cells.getValue().values()));
    }
    cellRows.clear();
  }

  /** Told from others, because it must not wait for itself. */
  private static final class WritingThread extends Thread {
    WritingThread(Runnable task, String name) {
      super(task, name);
      setDaemon(true);
    }
  }
}
