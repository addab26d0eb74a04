package org.hourstone.write;

import java.lang.System.Logger.Level;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.hourstone.codec.Timestamps;
import org.hourstone.head.HeadShard;
import org.hourstone.head.WriteCounts;
import org.hourstone.head.WrittenRows;
import org.hourstone.internal.Deadline;
import org.hourstone.internal.EngineThread;
import org.hourstone.internal.ForeignCode;
import org.hourstone.kv.Family;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * One thread that writes the points of its share of the series, and ready-made cells.
 *
 * <p>Everything passed to {@link #add} is either stored or failed through its receipt, exactly
 * once, in every case. A piece of work has one owner at a time: the queue, then {@link #taken},
 * then an open row or a batch of cells; each transfer is a step that can't fail. The queue is
 * bounded and makes writers wait. A batch is repeated while the store says that may help. The
 * thread ends only when it is closed: after an error it fails the work that it was doing and goes
 * on with the rest. Work added after it has ended is failed by its finder. Points of one row are
 * written in the order they were added. Only the flusher's thread takes from the queue and accesses
 * {@link Series#openRow}; after it has ended, {@link #failLeftovers} takes from the queue under its
 * lock.
 */
final class Flusher {
  private static final System.Logger LOG = System.getLogger("org.hourstone.write");

  private static final long FULL_QUEUE_PAUSE_NANOS = 100_000;

  /** The interval at which errors are logged. */
  private static final long LOG_MILLIS = 10_000;

  /** For how many points memory is read at a time; all of it fits in a processor's cache. */
  private static final int TOUCHED = 64;

  private final WriteOptions options;
  private final InstantSource clock;
  private final HeadShard shard;
  private final OpenRows rows;
  private final WorkQueue queue;
  private final Thread thread;

  private volatile boolean closed;

  /** Null unless points are sent to another server, too. */
  private volatile PointMirror.@Nullable Sink mirror;

  /** How often the thread has begun again after an error. */
  private final LongAdder restarts = new LongAdder();

  /** Work taken from the queue; from {@link #next} on it is not in a row yet. */
  private final ArrayList<Work> taken = new ArrayList<>();

  private int next;

  /** Ready-made cells that are written next. */
  private final Map<RowId, CellBatch> cells = new LinkedHashMap<>();

  /** Those who wait until the rows that are due are sealed. */
  private final List<Work.Look> looks = new ArrayList<>();

  /** When an error was logged last. */
  private long loggedAt;

  /** Whether there was an error while closing: then no further attempt is made for the journal. */
  private boolean leavesRows;

  /**
   * @param admission throws if a row may not have a point
   */
  Flusher(
      HeadShard shard,
      WrittenRows written,
      Consumer<byte[]> admission,
      WriteOptions options,
      InstantSource clock,
      String name) {
    this.shard = shard;
    this.rows = new OpenRows(shard, written, admission);
    this.options = options;
    this.clock = clock;
    this.queue = new WorkQueue(options.batching().queuePoints());
    this.thread = new EngineThread(this::run, name);
  }

  void start() {
    thread.start();
  }

  /** Work that is taken later is passed to the sink before it is written; null for none. */
  void mirrorTo(PointMirror.@Nullable Sink to) {
    mirror = to;
  }

  /**
   * Queues work, waiting while the queue is full.
   *
   * @throws IllegalStateException if the flusher is closed, or the calling thread is one of the
   *     engine's; the work is not queued
   * @throws StoreException NOT_APPLIED if the calling thread is interrupted while it waits
   */
  void add(Work work) {
    EngineThread.checkMayWait();
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
    // While the thread is closing it may still take the work; else the caller of close fails it.
    if (closed && !thread.isAlive()) {
      failLeftovers();
    }
  }

  /**
   * Completes when all work queued now has been written or has failed; exceptionally, if the
   * flusher accepts no more, or rows that a journal has can't be written.
   */
  CompletableFuture<@Nullable Void> barrier() {
    CompletableFuture<@Nullable Void> reached = new CompletableFuture<>();
    addOrFail(new Work.Barrier(reached));
    return reached;
  }

  /**
   * Completes when all work queued now has been handled, and the rows that are due by the clock, or
   * could not be sealed; exceptionally if the flusher accepts no more, or fails.
   */
  CompletableFuture<@Nullable Void> look() {
    CompletableFuture<@Nullable Void> done = new CompletableFuture<>();
    addOrFail(new Work.Look(done));
    return done;
  }

  private void addOrFail(Work work) {
    try {
      add(work);
    } catch (RuntimeException e) {
      work.fail(e);
    }
  }

  /** Makes the thread write the points of this hour that are queued or buffered. Never waits. */
  void hurry(Series series, long timestamp) {
    if (rows.isBuffering() && Thread.currentThread() != thread) {
      // If the queue is full the thread is awake, and checks within a second.
      var unused = queue.offerSignal(new Work.Hurry(series, Timestamps.baseTime(timestamp)));
    }
  }

  WriterStats stats() {
    WriteCounts counts = shard.counts();
    return new WriterStats(
        1,
        thread.isAlive() ? 1 : 0,
        restarts.sum(),
        queue.size(),
        counts.stored(),
        counts.failed(),
        counts.lastFailure());
  }

  /** How many points it has stored. */
  long stored() {
    return shard.counts().stored();
  }

  /**
   * Refuses further work, and makes the thread end when all queued and buffered work is written.
   */
  void beginClose(Deadline deadline) {
    shard.closeBy(deadline);
    closed = true;
    queue.offerSignal(
        new Work.Barrier(new CompletableFuture<>())); // wakes the thread if it is waiting
  }

  /**
   * Waits until the thread has ended; interrupts a call of the store that outlasts the deadline.
   */
  void awaitEnd(Deadline deadline) {
    deadline.join(thread, clock);
    failLeftovers();
  }

  /** Fails work queued by writers that saw the flusher open when it was just closing. */
  private synchronized void failLeftovers() {
    joinThread();
    failQueue(new StoreException(Outcome.NOT_APPLIED, "closed before it was written"));
  }

  private void joinThread() {
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void failQueue(RuntimeException reason) {
    for (Work work = queue.poll(); work != null; work = queue.poll()) {
      fail(work, reason);
    }
  }

  private void run() {
    while (true) {
      try {
        while (take()) {
          write();
        }
        return;
      } catch (Throwable e) {
        recover(e);
      }
    }
  }

  /**
   * After an unexpected throwable, such as out of memory, or an error of the store: reports it to
   * the thread's handler, which may end the process; else begins again.
   */
  private void recover(Throwable cause) {
    restarts.increment();
    boolean logs = isTimeToLog();
    if (logs || cause instanceof OutOfMemoryError) {
      ForeignCode.report(cause);
    }
    boolean repeated = leavesRows; // else closing might not end
    leavesRows |= closed;
    for (boolean done = false; !done; ) {
      try {
        failCurrent(
            repeated, new StoreException(Outcome.UNKNOWN, "the writer of points failed: " + cause));
        if (logs) {
          LOG.log(
              Level.ERROR,
              "{0} goes on after {1}; the points that it was writing have failed",
              thread.getName(),
              cause);
        }
        done = true;
      } catch (Throwable e) {
        // The loop continues where it stopped; each failed element frees memory.
        LockSupport.parkNanos(FULL_QUEUE_PAUSE_NANOS);
      }
    }
  }

  private boolean isTimeToLog() {
    long now = clock.millis();
    boolean logs = restarts.sum() == 1 || Math.abs(now - loggedAt) >= LOG_MILLIS;
    loggedAt = logs ? now : loggedAt;
    return logs;
  }

  /**
   * Fails the element that was being handled, which may be in a record in part, and what was being
   * written. The work that was not begun, and rows that are open, stay.
   *
   * @param all whether open rows fail, too, unless the journal has them
   */
  private void failCurrent(boolean all, StoreException reason) {
    rows.recover(all, reason);
    if (next < taken.size()) {
      fail(taken.get(next), reason);
      next++;
    }
    shard.fail(cells.values(), reason);
    cells.clear();
    looks.forEach(look -> look.fail(reason));
    looks.clear();
  }

  private void fail(Work work, RuntimeException reason) {
    shard.counts().addFailed(work.elements(), reason);
    work.fail(reason);
  }

  /**
   * Takes all queued work. Waits for it, but not beyond the time when a buffered row is due.
   *
   * @return false if no more work will arrive
   */
  private boolean take() {
    if (next < taken.size()) { // after an error
      taken.subList(0, next).clear();
      next = 0;
      return true;
    }
    taken.clear();
    next = 0;
    takeQueued(0);
    if (taken.isEmpty()) {
      // That is not enough: it skips a slot that a writer has claimed but not filled yet.
      boolean closing = closed;
      taken.ensureCapacity(1);
      Work first = closing ? queue.poll() : await();
      if (first != null) {
        taken.add(first);
        takeQueued(first.elements());
      } else if (closing) {
        if (shard.isEmpty() || (leavesRows && !shard.isAwaited())) {
          return false;
        }
        taken.add(new Work.Barrier(new CompletableFuture<>()));
      }
    }
    return true;
  }

  private void takeQueued(int points) {
    int sum = points;
    while (sum < options.batching().batchPoints()) {
      taken.ensureCapacity(taken.size() + 1); // what was taken can be added
      Work work = queue.relaxedPoll();
      if (work == null) {
        return;
      }
      taken.add(work);
      sum += Math.max(1, work.elements());
    }
  }

  private @Nullable Work await() {
    while (true) {
      try {
        return shard.isEmpty() ? queue.take() : queue.poll(shard.millisUntilDue());
      } catch (InterruptedException e) {
        // Only closing interrupts this thread, while the store lets it wait; it ends by itself.
      }
    }
  }

  /** Adds the work taken to rows, and seals the rows that are due. */
  private void write() {
    if (taken.isEmpty()) {
      shard.addAwaited();
    }
    PointMirror.Sink to = mirror;
    if (to != null) {
      mirror(to);
    }
    while (next < taken.size()) {
      Work work = taken.get(next);
      try {
        take(work);
      } catch (RuntimeException e) {
        fail(work, e);
      }
      next++;
    }
    rows.commit();
    writeCells();
    rows.sealDue();
    looks.forEach(look -> look.done().complete(null));
    looks.clear();
  }

  /** Before any of the points is in a row: rows may complete receipts when a point is added. */
  private void mirror(PointMirror.Sink to) {
    for (int i = next; i < taken.size(); i++) {
      taken.get(i).mirror(to);
    }
    to.commit();
  }

  private void take(Work work) {
    if (work instanceof Work.Point point) {
      rows.add(
          point.series(),
          point.timestamp(),
          point.flags(),
          point.raw(),
          point.receipt(),
          point.token());
    } else if (work instanceof Work.Points points) {
      add(points);
    } else if (work instanceof Work.Cells cells) {
      add(cells);
    } else if (work instanceof Work.Hurry hurry) {
      rows.hurry(hurry.series(), hurry.baseTime());
    } else if (work instanceof Work.Look look) {
      looks.add(look);
    } else if (work instanceof Work.Barrier barrier) {
      writeCells();
      reach(barrier);
    }
  }

  private void reach(Work.Barrier barrier) {
    try {
      rows.sealAll();
      barrier.reached().complete(null);
    } catch (RuntimeException e) {
      leavesRows = closed;
      barrier.reached().completeExceptionally(e);
    }
  }

  private void add(Work.Points points) {
    PointColumns columns = points.columns;
    while (points.next < points.size) {
      int i = points.next;
      if (i % TOUCHED == 0) {
        rows.touch(columns, i, Math.min(i + TOUCHED, points.size));
      }
      try {
        rows.add(
            columns.series[i],
            columns.timestamps[i],
            columns.flags[i],
            columns.raws[i],
            points.receipt,
            columns.tokens[i]);
        points.next++;
      } catch (RuntimeException e) {
        shard.counts().addFailed(1, e);
        points.failNext(e);
      }
    }
    columns.release();
  }

  private void add(Work.Cells more) {
    RowId id = new RowId(more.family(), more.mutation().row());
    cells.computeIfAbsent(id, row -> new CellBatch(row.key())).add(more);
  }

  private void writeCells() {
    if (cells.isEmpty()) {
      return;
    }
    Map<Family, List<CellBatch>> byFamily = new LinkedHashMap<>();
    cells.forEach(
        (id, batch) -> byFamily.computeIfAbsent(id.family(), f -> new ArrayList<>()).add(batch));
    byFamily.forEach(this::writeCells);
    cells.clear();
  }

  private void writeCells(Family family, List<CellBatch> batch) {
    try {
      shard.write(family, batch);
    } catch (RuntimeException e) { // not a StoreException: the outcome is unknown
      shard.fail(batch, e);
    }
  }
}
