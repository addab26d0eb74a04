package org.hourstone.kv.hbase;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.AsyncTableBuilder;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.RowMutations;
import org.hourstone.kv.Family;
import org.hourstone.kv.StoreException.Outcome;

/**
 * Makes conditional changes. If the response to an attempt is lost, its result can't be determined.
 *
 * <p>If the client repeated a change after an attempt that was applied but whose response was lost,
 * the condition would no longer hold, and the result would be "not as expected" although the change
 * was made. So the client makes only one attempt. A change that was certainly not applied, because
 * the region was moving or its server was busy, is repeated here; any other failure is UNKNOWN.
 */
final class SingleAttempts {
  private static final long FIRST_PAUSE_MILLIS = 50;
  private static final long LONGEST_PAUSE_MILLIS = 2_000;

  private final AsyncConnection connection;
  private final Names names;
  private final InFlightCalls calls;
  private final HBaseErrors errors;
  private final long timeoutNanos;
  private final LongAdder repeated = new LongAdder();

  SingleAttempts(
      AsyncConnection connection,
      Names names,
      InFlightCalls calls,
      HBaseErrors errors,
      Duration timeout) {
    this.connection = connection;
    this.names = names;
    this.calls = calls;
    this.errors = errors;
    this.timeoutNanos = timeout.toNanos();
  }

  /** Whether the condition held and the change was made. */
  boolean checkAndMutate(Family family, CheckAndMutate change) {
    return run(family, table(family, size(change)), change).isSuccess();
  }

  /**
   * A table whose calls make one attempt.
   *
   * @param bytes of a call
   */
  AsyncTable<?> table(Family family, long bytes) {
    AsyncTableBuilder<?> table = connection.getTableBuilder(names.table(family)).setMaxAttempts(1);
    if (bytes > Batches.MAX_BYTES) {
      table.setRpcTimeout(timeoutNanos, TimeUnit.NANOSECONDS); // as in Batches
    }
    return table.build();
  }

  /** How many attempts were repeated. */
  long repeated() {
    return repeated.sum();
  }

  /** The approximate number of bytes of a conditional change. */
  static long size(CheckAndMutate change) {
    if (change.getAction() instanceof RowMutations changes) {
      return changes.getMutations().stream().mapToLong(Mutation::heapSize).sum();
    }
    return change.getAction() instanceof Mutation mutation ? mutation.heapSize() : 0;
  }

  private CheckAndMutateResult run(Family family, AsyncTable<?> table, CheckAndMutate change) {
    long deadline = System.nanoTime() + timeoutNanos;
    long pause = FIRST_PAUSE_MILLIS;
    while (true) {
      try {
        return calls.await(table.checkAndMutate(change));
      } catch (CallFailedException e) {
        Throwable failure = e.failure();
        if (HBaseErrors.writeOutcome(failure) == Outcome.REJECTED
            || !HBaseErrors.isBeforeAnyEffect(failure)) {
          throw errors.write(family, failure);
        }
        if (System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(pause) - deadline > 0) {
          throw errors.notApplied(family, failure);
        }
      }
      repeated.increment();
      pause(family, pause);
      pause = Math.min(2 * pause, LONGEST_PAUSE_MILLIS);
    }
  }

  private void pause(Family family, long millis) {
    try {
      TimeUnit.MILLISECONDS.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw errors.write(family, e);
    }
  }
}
