package org.hourstone.write;

import java.util.ArrayList;
import java.util.List;
import org.hourstone.internal.Backoff;
import org.hourstone.kv.BatchException;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * Offers rows to the store, again and again while the store says that may help, and tells the
 * receipts of each once. For one thread.
 */
final class BatchWriter {
  private final KeyValueStore store;
  private final WriteOptions options;
  private final Backoff backoff;
  private final WrittenRows written;

  /** Rows that are being written, so that they can be told of whatever is thrown. */
  private List<? extends RowWrite> writing = List.of();

  BatchWriter(KeyValueStore store, WriteOptions options, Backoff backoff, WrittenRows written) {
    this.store = store;
    this.options = options;
    this.backoff = backoff;
    this.written = written;
  }

  /** Writes rows, some at a time. What is thrown is to be answered by {@link #giveUp}. */
  void write(Family to, List<? extends RowWrite> rows) {
    writing = rows;
    int from = 0;
    int points = 0;
    for (int i = 0; i < rows.size(); i++) {
      int more = rows.get(i).size();
      if (i > from && points + more > options.batchPoints()) {
        writeBatch(to, rows.subList(from, i));
        from = i;
        points = 0;
      }
      points += more;
    }
    writeBatch(to, rows.subList(from, rows.size()));
    writing = List.of();
  }

  /** Fails what is left of the last call, if it has thrown something. */
  void giveUp(RuntimeException reason) {
    writing.forEach(row -> row.failed(reason));
    writing = List.of();
  }

  private void writeBatch(Family to, List<? extends RowWrite> batch) {
    List<? extends RowWrite> left = batch;
    for (int failures = 0; !left.isEmpty(); ) {
      List<RowWrite> unapplied = tryWrite(to, left, ++failures == options.attempts());
      if (!unapplied.isEmpty()) {
        backoff.pause(failures);
      }
      left = unapplied;
    }
  }

  /**
   * Offers rows to the store once.
   *
   * @return those worth another attempt: a put may be repeated whatever became of it
   */
  private List<RowWrite> tryWrite(Family to, List<? extends RowWrite> batch, boolean lastAttempt) {
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
    List<RowWrite> again = new ArrayList<>(0);
    List<RowWrite> stored = new ArrayList<>(batch.size());
    for (int i = 0; i < batch.size(); i++) {
      RowWrite row = batch.get(i);
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

  private void tellOfPoints(List<RowWrite> stored) {
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
}
