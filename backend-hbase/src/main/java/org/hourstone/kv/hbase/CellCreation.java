package org.hourstone.kv.hbase;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Put;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.Row;
import org.hourstone.kv.StoreException;

/**
 * Creates cells of many rows where they are absent. A server decides each row by itself, one after
 * the other for a request, so the rows are sent in several requests at a time.
 *
 * <p>As in {@link SingleAttempts}, the client makes only one attempt. What fails is not repeated
 * here: of the failures in one region the client keeps the last, so that of a row which failed it
 * is not known for certain that nothing was changed.
 */
final class CellCreation {
  /** A server synchronizes its log for each row: it should do so for several requests at once. */
  private static final int ROWS = 64;

  private static final int REQUESTS = 8;

  private final SingleAttempts attempts;
  private final InFlightCalls calls;
  private final HBaseErrors errors;
  private final Mutations mutations;
  private final Reads reads;

  CellCreation(
      SingleAttempts attempts,
      InFlightCalls calls,
      HBaseErrors errors,
      Mutations mutations,
      Reads reads) {
    this.attempts = attempts;
    this.calls = calls;
    this.errors = errors;
    this.mutations = mutations;
    this.reads = reads;
  }

  /**
   * Creates cells. If one can't be read back, an earlier deletion hides it, or another client has
   * removed it since: which of them is not known so long after it was set, so it is not set again.
   *
   * @return for each row whether the cell was absent and now has the value
   * @throws StoreException UNKNOWN also if a cell that was created is not there
   */
  List<Boolean> create(Family family, List<byte[]> rows, byte[] qualifier, List<byte[]> values) {
    List<Boolean> created = send(family, checks(family, rows, qualifier, values));
    try {
      List<Reads.Question> questions = new ArrayList<>();
      for (int i = 0; i < created.size(); i++) {
        if (created.get(i)) {
          questions.add(new Reads.Question(rows.get(i), Columns.exactly(qualifier)));
        }
      }
      List<Row> present = questions.isEmpty() ? List.of() : reads.get(family, questions);
      if (present.stream().anyMatch(Row::isEmpty)) {
        throw errors.write(family, new IOException("a cell that was created is not there"));
      }
      return created;
    } catch (StoreException afterwards) {
      throw created.contains(true) ? HBaseErrors.afterwards(afterwards) : afterwards;
    }
  }

  /** All before any is sent: a value may be refused for its size. */
  private List<CheckAndMutate> checks(
      Family family, List<byte[]> rows, byte[] qualifier, List<byte[]> values) {
    List<CheckAndMutate> checks = new ArrayList<>(rows.size());
    for (int i = 0; i < rows.size(); i++) {
      List<Change> put = List.of(new Change.Put(qualifier, values.get(i)));
      checks.add(
          CheckAndMutate.newBuilder(rows.get(i))
              .ifNotExists(Names.bytes(family), qualifier)
              .build((Put) mutations.changes(family, rows.get(i)).addAll(put).action()));
    }
    return checks;
  }

  private List<Boolean> send(Family family, List<CheckAndMutate> checks) {
    List<Boolean> created = new ArrayList<>(checks.size());
    Queue<List<CompletableFuture<CheckAndMutateResult>>> sent = new ArrayDeque<>(REQUESTS);
    Throwable failure = null;
    boolean areAllMissing = true;
    int next = 0;
    while (!sent.isEmpty() || (failure == null && next < checks.size())) {
      while (failure == null && next < checks.size() && sent.size() < REQUESTS) {
        int end = endOfRequest(checks, next);
        sent.add(
            attempts
                .table(family, size(checks, next, end))
                .checkAndMutate(checks.subList(next, end)));
        next = end;
      }
      for (CompletableFuture<CheckAndMutateResult> answer : sent.remove()) {
        try {
          created.add(calls.await(answer).isSuccess());
        } catch (CallFailedException e) {
          failure = failure == null ? e.failure() : failure;
          areAllMissing &= HBaseErrors.isMissing(e.failure());
        }
      }
    }
    if (failure != null) {
      StoreException told = errors.write(family, failure);
      boolean isRefused = areAllMissing && !created.contains(true);
      throw isRefused ? told : HBaseErrors.afterwards(told);
    }
    return created;
  }

  private static int endOfRequest(List<CheckAndMutate> checks, int from) {
    int end = from + 1;
    while (end < checks.size()
        && end - from < ROWS
        && size(checks, from, end + 1) <= Batches.MAX_BYTES) {
      end++;
    }
    return end;
  }

  private static long size(List<CheckAndMutate> checks, int from, int to) {
    return checks.subList(from, to).stream().mapToLong(SingleAttempts::size).sum();
  }
}
