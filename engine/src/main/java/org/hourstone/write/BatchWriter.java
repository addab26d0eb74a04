package org.hourstone.write;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import org.hourstone.codec.RowPoints;
import org.hourstone.internal.Backoff;
import org.hourstone.internal.Deadline;
import org.hourstone.internal.ForeignCode;
import org.hourstone.kv.BatchException;
import org.hourstone.kv.Change;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * Writes rows to the store, repeatedly while the store says that may help, and completes the
 * receipts of each row once. If the store throws an exception, the rows concerned fail; if an
 * argument is beyond the {@link org.hourstone.kv.Limits}, only the row with that argument; if it
 * rejects points dated by themselves, only those that it rejects alone. An error is thrown. For one
 * thread, except {@link #closeBy} and the counts.
 */
final class BatchWriter {
  private final KeyValueStore store;
  private final WriteOptions options;
  private final InstantSource clock;
  private final Backoff backoff;
  private final WrittenRows written;
  private final BooleanSupplier appends;
  private final @Nullable AppendOrder order;
  private final RowPoints scratch = new RowPoints();
  private final LongAdder stored = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private volatile @Nullable String lastFailure;

  /** Until when batches are still offered to the store, while closing; null before. */
  private volatile @Nullable Deadline deadline;

  /** Whether the last batch was given up after all its attempts, and nothing of it was applied. */
  private boolean storeFails;

  /**
   * @param appends whether points are appended, which may change before a batch
   */
  BatchWriter(
      KeyValueStore store,
      WriteOptions options,
      InstantSource clock,
      Backoff backoff,
      WrittenRows written,
      BooleanSupplier appends) {
    this.store = store;
    this.options = options;
    this.clock = clock;
    this.backoff = backoff;
    this.written = written;
    this.appends = appends;
    int rows = Math.max(1, options.seriesCacheSize() / options.batching().threads());
    this.order =
        options.ordersAppends()
            ? new AppendOrder(store, options.cells().maxBytes(), rows, backoff)
            : null;
  }

  /**
   * Rows not written by then fail. Once a batch has used up its attempts, each later batch has one
   * attempt until one succeeds.
   */
  void closeBy(Deadline latest) {
    deadline = latest;
  }

  long stored() {
    return stored.sum();
  }

  long failed() {
    return failed.sum();
  }

  @Nullable String lastFailure() {
    return lastFailure;
  }

  /** Writes rows, all different, some at a time. */
  void write(Collection<RowWrite> rows) {
    Map<Family, List<RowWrite>> byFamily = new LinkedHashMap<>();
    for (RowWrite row : rows) {
      byFamily.computeIfAbsent(row.id().family(), family -> new ArrayList<>()).add(row);
    }
    byFamily.forEach(this::write);
  }

  private void write(Family to, List<RowWrite> rows) {
    int from = 0;
    int points = 0;
    for (int i = 0; i < rows.size(); i++) {
      int more = rows.get(i).size();
      if (i > from && points + more > options.batching().batchPoints()) {
        writeBatch(to, rows.subList(from, i));
        from = i;
        points = 0;
      }
      points += more;
    }
    writeBatch(to, rows.subList(from, rows.size()));
  }

  private void writeBatch(Family to, List<RowWrite> batch) {
    List<RowWrite> left = batch;
    for (int failures = 0; !left.isEmpty(); ) {
      Deadline latest = deadline;
      if (latest != null && latest.isOver(clock)) {
        giveUp(left);
        return;
      }
      int attempts = latest != null && storeFails ? 1 : options.batching().attempts();
      boolean lastAttempt = ++failures >= attempts;
      List<RowWrite> again = tryWrite(to, left, lastAttempt);
      if (!again.isEmpty()) {
        backoff.pause(failures);
      }
      left = again;
    }
  }

  private void giveUp(List<RowWrite> rows) {
    StoreException late =
        new StoreException(Outcome.NOT_APPLIED, "not written before the deadline of closing");
    for (RowWrite row : rows) {
      fail(row, row.failure(Outcome.NOT_APPLIED, late));
    }
  }

  /** Fails a row, unless its receipts are already complete. */
  void fail(RowWrite row, RuntimeException reason) {
    failed(row.receipts.untold(), reason);
    row.receipts.failed(reason);
  }

  /** Counts elements that were not written. */
  void failed(int elements, RuntimeException reason) {
    if (elements > 0) {
      failed.add(elements);
      lastFailure = String.valueOf(reason.getMessage());
    }
  }

  /**
   * Writes rows to the store once.
   *
   * @return the rows worth another attempt: a put may be repeated whatever its outcome
   */
  private List<RowWrite> tryWrite(Family to, List<RowWrite> batch, boolean lastAttempt) {
    RuntimeException failure = mutate(to, batch);
    if (failure instanceof IllegalArgumentException && batch.size() > 1) {
      // Refused before any effect, because of one row or the number of rows: the others must not
      // fail.
      writeBatch(to, batch.subList(0, batch.size() / 2));
      writeBatch(to, batch.subList(batch.size() / 2, batch.size()));
      return List.of();
    }
    List<RowWrite> again = new ArrayList<>(0);
    List<RowWrite> applied = new ArrayList<>(batch.size());
    List<RowWrite> rejected = new ArrayList<>(0);
    for (int i = 0; i < batch.size(); i++) {
      RowWrite row = batch.get(i);
      if (failure == null) {
        applied.add(row);
      } else if (failure instanceof StoreException refused) {
        Outcome outcome = outcome(refused, i);
        if (outcome == null) {
          applied.add(row);
        } else if (outcome == Outcome.REJECTED && row.isDivisible(options)) {
          rejected.add(row);
        } else if (outcome == Outcome.REJECTED || lastAttempt) {
          fail(row, row.failure(outcome, refused));
        } else {
          row.unapplied(outcome);
          again.add(row);
        }
      } else {
        fail(row, failure);
      }
    }
    storeFails = applied.isEmpty() && (lastAttempt || storeFails);
    reportPoints(applied);
    for (RowWrite row : applied) {
      stored.add(row.receipts.untold());
      row.receipts.stored();
    }
    rejected.forEach(row -> writeHalves(to, row));
    return again;
  }

  /** Nothing of the row was applied, because of some of its points: the others must not fail. */
  private void writeHalves(Family to, RowWrite row) {
    int end = row.receipts.end();
    try {
      row.receipts.endAt(row.receipts.begin() + row.receipts.untold() / 2);
      writeBatch(to, List.of(row));
    } finally {
      row.receipts.endAt(end); // whatever ends the thread must fail all that are left
    }
    writeBatch(to, List.of(row));
  }

  private @Nullable RuntimeException mutate(Family to, List<RowWrite> batch) {
    try {
      boolean appending = appends.getAsBoolean();
      List<RowMutation> mutations = new ArrayList<>(batch.size());
      for (RowWrite row : batch) {
        mutations.add(row.mutation(options, appending, scratch));
      }
      if (order != null && appending) {
        order.beforeAppends(to, appended(mutations));
      }
      store.mutate(to, mutations);
      return null;
    } catch (RuntimeException e) {
      return e;
    }
  }

  private static List<byte[]> appended(List<RowMutation> mutations) {
    List<byte[]> rows = new ArrayList<>(mutations.size());
    for (RowMutation mutation : mutations) {
      if (mutation.changes().get(0) instanceof Change.Append) {
        rows.add(mutation.row());
      }
    }
    return rows;
  }

  private void reportPoints(List<RowWrite> applied) {
    List<byte[]> rows = new ArrayList<>(applied.size());
    List<Integer> points = new ArrayList<>(applied.size());
    for (RowWrite row : applied) {
      if (row.points() > 0) {
        rows.add(row.id().key());
        points.add(row.points());
      }
    }
    if (!rows.isEmpty()) {
      ForeignCode.run(() -> written.written(rows, points));
    }
  }

  /** The outcome of the {@code i}th element of a batch that failed; null if it was applied. */
  private static @Nullable Outcome outcome(StoreException failure, int i) {
    return failure instanceof BatchException parts ? parts.outcomes().get(i) : failure.outcome();
  }
}
