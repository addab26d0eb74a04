package org.hourstone.kv.hbase;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.AsyncTableBuilder;
import org.apache.hadoop.hbase.client.Row;
import org.hourstone.kv.BatchException;
import org.hourstone.kv.Family;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * Writes batches. The changes of a row are one atomic action; many actions for a region server are
 * one request, with an outcome for each row.
 *
 * <p>Large batches are sent in parts, as far as the buffer has room. If the response to a part is
 * lost, no more parts are sent, since each would only wait for the timeout again.
 */
final class Batches {
  /**
   * Servers may be configured to refuse larger requests: {@code hbase.rpc.rows.warning.threshold}.
   */
  static final int MAX_MUTATIONS = 5_000;

  /** The maximum size of a part; a larger single row is sent alone. */
  static final long MAX_BYTES = 4 << 20;

  private final AsyncConnection connection;
  private final Names names;
  private final HBaseErrors errors;
  private final Mutations mutations;
  private final WriteBuffer buffer;
  private final Duration timeout;

  /**
   * @param timeout the timeout of an operation, for all its attempts together
   */
  Batches(
      AsyncConnection connection,
      Names names,
      HBaseErrors errors,
      Mutations mutations,
      WriteBuffer buffer,
      Duration timeout) {
    this.connection = connection;
    this.names = names;
    this.errors = errors;
    this.mutations = mutations;
    this.buffer = buffer;
    this.timeout = timeout;
  }

  /**
   * Sends a batch after waiting for room in the buffer.
   *
   * @return completes when the whole batch is applied, or exceptionally with a {@link
   *     StoreException}
   */
  CompletableFuture<@Nullable Void> send(Family family, List<RowMutation> batch) {
    CompletableFuture<?>[] answers = new CompletableFuture<?>[batch.size()];
    String unsent = "not sent to " + family;
    int sent = 0;
    try {
      AtomicBoolean lost = new AtomicBoolean();
      while (sent < batch.size() && !lost.get()) {
        sent = sendPart(family, batch, sent, answers, lost);
      }
    } catch (TimeoutException noRoom) {
      unsent += ": " + noRoom.getMessage();
    } catch (StoreException badName) {
      return CompletableFuture.failedFuture(badName);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return CompletableFuture.failedFuture(errors.write(family, e));
    }
    StoreException notSent =
        new StoreException(Outcome.NOT_APPLIED, errors.store() + ": " + unsent);
    Arrays.fill(answers, sent, answers.length, CompletableFuture.failedFuture(notSent));
    return CompletableFuture.allOf(answers)
        .handle(
            (done, failure) -> {
              if (failure != null) {
                throw failure(family, answers);
              }
              return null;
            });
  }

  /**
   * @param lost set once it is unknown whether a row was applied
   * @return the start of the next part
   */
  private int sendPart(
      Family family,
      List<RowMutation> batch,
      int from,
      CompletableFuture<?>[] answers,
      AtomicBoolean lost)
      throws InterruptedException, TimeoutException {
    int to = from;
    long bytes = 0;
    int count = 0;
    while (to < batch.size()) {
      long moreBytes = Mutations.size(batch.get(to));
      int more = Mutations.count(batch.get(to));
      if (to > from && (bytes + moreBytes > MAX_BYTES || count + more > MAX_MUTATIONS)) {
        break;
      }
      bytes += moreBytes;
      count += more;
      to++;
    }
    int taken = buffer.acquire(bytes);
    try {
      sendAll(table(family, bytes), family, batch.subList(from, to), answers, from);
      CompletableFuture<?>[] part = Arrays.copyOfRange(answers, from, to);
      var unused =
          CompletableFuture.allOf(part)
              .whenComplete(
                  (done, failure) -> {
                    buffer.release(taken);
                    lost.compareAndSet(false, failure != null && anyUnknown(part));
                  });
    } catch (Throwable unforeseen) {
      buffer.release(taken);
      throw unforeseen;
    }
    return to;
  }

  /** The table for a part of this size. */
  private AsyncTable<?> table(Family family, long bytes) {
    AsyncTableBuilder<?> builder = connection.getTableBuilder(names.table(family));
    if (bytes > MAX_BYTES) {
      builder.setRpcTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS);
    }
    return builder.build();
  }

  /** Sends mutations; sets a response for each of them, from {@code answers[first]} on. */
  private void sendAll(
      AsyncTable<?> table,
      Family family,
      List<RowMutation> batch,
      CompletableFuture<?>[] answers,
      int first) {
    List<Row> actions = new ArrayList<>(batch.size());
    for (int i = 0; i < batch.size(); i++) {
      try {
        actions.add(mutations.action(family, batch.get(i)));
      } catch (StoreException refused) {
        answers[first + i] = CompletableFuture.failedFuture(refused);
      }
    }
    Iterator<CompletableFuture<Object>> sent = table.batch(actions).iterator();
    for (int i = first; i < first + batch.size(); i++) {
      answers[i] = answers[i] == null ? sent.next() : answers[i];
    }
  }

  private static boolean anyUnknown(CompletableFuture<?>[] answers) {
    return Arrays.stream(answers).anyMatch(answer -> outcome(answer) == Outcome.UNKNOWN);
  }

  /** The outcome of a row whose response has arrived; null if it was applied. */
  private static @Nullable Outcome outcome(CompletableFuture<?> answer) {
    Throwable failure = thrown(answer);
    return failure == null ? null : HBaseErrors.writeOutcome(failure);
  }

  private static @Nullable Throwable thrown(CompletableFuture<?> answer) {
    return answer.<@Nullable Throwable>handle((result, thrown) -> thrown).join();
  }

  /** The failure of a batch when all responses have arrived and at least one is a failure. */
  private StoreException failure(Family family, CompletableFuture<?>[] answers) {
    List<@Nullable Outcome> outcomes = new ArrayList<>(answers.length);
    int failed = 0;
    Throwable first = null;
    for (CompletableFuture<?> answer : answers) {
      outcomes.add(outcome(answer));
      Throwable failure = thrown(answer);
      failed += failure == null ? 0 : 1;
      first = first == null ? failure : first;
    }
    if (first == null) {
      throw new IllegalStateException("no answer is a failure");
    }
    StoreException told = first instanceof StoreException ours ? ours : errors.write(family, first);
    if (outcomes.stream().distinct().count() == 1) {
      return told;
    }
    String message = told.getMessage() + ", and so " + failed + " of " + answers.length + " rows";
    return new BatchException(message, outcomes, first);
  }
}
