package org.hourstone.kv.hbase;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.Row;
import org.hourstone.kv.BatchException;
import org.hourstone.kv.Family;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * Writes batches: each row's changes as one atomic action, all actions for a region server as one
 * request, and what became of each told one by one.
 */
final class Batches {
  private final AsyncConnection connection;
  private final Names names;
  private final HBaseErrors errors;
  private final Mutations mutations;
  private final WriteBuffer buffer;

  Batches(
      AsyncConnection connection,
      Names names,
      HBaseErrors errors,
      Mutations mutations,
      WriteBuffer buffer) {
    this.connection = connection;
    this.names = names;
    this.errors = errors;
    this.mutations = mutations;
    this.buffer = buffer;
  }

  /**
   * Sends a batch, having waited for room in the buffer.
   *
   * @return completes when all of it is applied, or exceptionally with a {@link StoreException}
   */
  CompletableFuture<@Nullable Void> send(Family family, List<RowMutation> batch) {
    List<Row> actions = new ArrayList<>(batch.size());
    batch.forEach(mutation -> actions.add(mutations.action(family, mutation)));
    int taken;
    try {
      taken = buffer.acquire(Mutations.size(batch));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return CompletableFuture.failedFuture(errors.write(family, e));
    }
    return sendActions(family, actions).whenComplete((done, failure) -> buffer.release(taken));
  }

  private CompletableFuture<@Nullable Void> sendActions(Family family, List<Row> actions) {
    List<CompletableFuture<Object>> answers;
    try {
      answers = connection.getTable(names.table(family)).batch(actions);
    } catch (IllegalArgumentException tooLarge) {
      return CompletableFuture.failedFuture(
          errors.rejected("cannot write " + family + ": " + HBaseErrors.reason(tooLarge)));
    } catch (StoreException badName) {
      return CompletableFuture.failedFuture(badName);
    }
    return CompletableFuture.allOf(answers.toArray(new CompletableFuture<?>[0]))
        .handle(
            (done, failure) -> {
              if (failure != null) {
                throw failure(family, answers);
              }
              return null;
            });
  }

  /** All answers have come, and at least one is a failure. */
  private StoreException failure(Family family, List<CompletableFuture<Object>> answers) {
    List<@Nullable Outcome> outcomes = new ArrayList<>(answers.size());
    int failed = 0;
    Throwable first = null;
    for (CompletableFuture<Object> answer : answers) {
      Throwable failure = answer.handle((result, thrown) -> thrown).join();
      outcomes.add(failure == null ? null : HBaseErrors.writeOutcome(failure));
      failed += failure == null ? 0 : 1;
      first = first == null ? failure : first;
    }
    if (first == null) {
      throw new IllegalStateException("no answer is a failure");
    }
    StoreException told = errors.write(family, first);
    if (outcomes.stream().distinct().count() == 1) {
      return told;
    }
    String message = told.getMessage() + ", and so " + failed + " of " + answers.size() + " rows";
    return new BatchException(message, outcomes, first);
  }
}
