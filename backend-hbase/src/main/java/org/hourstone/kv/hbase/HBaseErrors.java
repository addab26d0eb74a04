package org.hourstone.kv.hbase;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.hbase.CallQueueTooBigException;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HBaseIOException;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.TableNotEnabledException;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.NoServerForRegionException;
import org.apache.hadoop.hbase.client.RegionOfflineException;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;
import org.apache.hadoop.hbase.exceptions.TimeoutIOException;
import org.apache.hadoop.hbase.ipc.CallTimeoutException;
import org.apache.hadoop.hbase.ipc.FailedServerException;
import org.apache.hadoop.hbase.ipc.ServerNotRunningYetException;
import org.apache.hadoop.hbase.ipc.ServerTooBusyException;
import org.apache.hadoop.hbase.ipc.StoppedRpcClientException;
import org.apache.hadoop.hbase.quotas.RpcThrottlingException;
import org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException;
import org.apache.hadoop.hbase.regionserver.RegionServerStoppedException;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.Change;
import org.hourstone.kv.Family;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * Maps failures of the HBase client to {@link StoreException}s, with a message of one line that
 * names the cluster, and an outcome that never claims more than is known.
 *
 * <p>The client repeats calls and reports only the failure of the last attempt. So the outcome of a
 * write that the client gave up is UNKNOWN after any last failure, unless the caller knows that
 * there was only one attempt.
 */
final class HBaseErrors {
  /**
   * The server's response to a repeated increment or append whose first attempt failed on the
   * server.
   */
  private static final String NONCE_CONFLICT = "OperationConflictException";

  private final String store;

  /**
   * @param location the store's URI without parameters
   */
  HBaseErrors(String location) {
    this.store = "HBase store " + location;
  }

  String store() {
    return store;
  }

  StoreException read(Family family, Throwable failure) {
    return failed("cannot read " + family, family, readOutcome(failure), failure);
  }

  StoreException write(Family family, Throwable failure) {
    return failed("cannot write " + family, family, writeOutcome(failure), failure);
  }

  /**
   * A write, made in single attempts, failed before it was applied, for longer than it is repeated.
   */
  StoreException notApplied(Family family, Throwable failure) {
    return failed("cannot write " + family, family, Outcome.NOT_APPLIED, failure);
  }

  /**
   * The value of a counter in the response to an increment.
   *
   * @throws StoreException UNKNOWN if the response has none: the client repeats an increment whose
   *     response was lost, and a region that was opened on another server after a crash may know
   *     that it was applied without finding its cell at the read point of that time
   */
  long counter(Family family, Result response) {
    byte[] value = response.value();
    if (value == null) {
      throw write(family, new IOException("the response to the increment has no value"));
    }
    return ByteBuffer.wrap(value).getLong();
  }

  /** An operation on tables failed, not on cells. */
  StoreException schema(String what, Throwable failure) {
    boolean missing = find(failure, TableNotFoundException.class) != null;
    Outcome outcome = missing ? Outcome.REJECTED : readOutcome(failure);
    return new StoreException(outcome, store + ": " + what + ": " + reason(failure), failure);
  }

  /** No connection to the cluster. */
  StoreException unreachable(Throwable failure) {
    String refusal = AccessErrors.explain(failure);
    String reason = refusal == null ? reason(failure) : refusal;
    if (reason.contains("NoNode")) {
      return rejected("no HBase has its data under this ZooKeeper node: " + reason);
    }
    return new StoreException(Outcome.NOT_APPLIED, store + ": cannot connect: " + reason, failure);
  }

  StoreException rejected(String what) {
    return new StoreException(Outcome.REJECTED, store + ": " + what);
  }

  /** A cell to be put is dated before a deletion of the cell. */
  StoreException hidden(Family family, byte[] row, byte[] qualifier, long time) {
    return rejected(
        cannotPut(family, row, qualifier, time)
            + "is hidden by a later deletion until HBase's next major compaction");
  }

  /** A cell to be put is older than the time for which its family keeps cells. */
  StoreException expired(Family family, byte[] row, Change.PutIfNewer put) {
    return rejected(
        cannotPut(family, row, put.qualifier(), put.writeTime())
            + "is older than the family's TTL");
  }

  /** A cell that was put could not be read back. */
  StoreException gone(Family family, byte[] row, Change.PutIfNewer put) {
    return new StoreException(
        Outcome.UNKNOWN,
        store
            + ": "
            + cannotPut(family, row, put.qualifier(), put.writeTime())
            + "was not there afterwards: another client has deleted it at the same time");
  }

  private static String cannotPut(Family family, byte[] row, byte[] qualifier, long time) {
    return "cannot write %s: a cell of row %s, qualifier %s, dated %d, "
        .formatted(family, new Bytes(row), new Bytes(qualifier), time);
  }

  /** A call that belongs to a write failed, and the write was not sent. */
  static StoreException before(StoreException failure) {
    return failure.outcome() == Outcome.UNKNOWN
        ? new StoreException(Outcome.NOT_APPLIED, String.valueOf(failure.getMessage()), failure)
        : failure;
  }

  /** A write was interrupted, and it is not known during which of its calls. */
  static StoreException unknown(StoreException failure) {
    return failure.outcome() == Outcome.NOT_APPLIED ? afterwards(failure) : failure;
  }

  /** A call that belongs to a write failed in any way after the write had been applied. */
  static StoreException afterwards(StoreException failure) {
    return new StoreException(Outcome.UNKNOWN, String.valueOf(failure.getMessage()), failure);
  }

  static Outcome readOutcome(Throwable failure) {
    return isFinal(failure) ? Outcome.REJECTED : Outcome.NOT_APPLIED;
  }

  static Outcome writeOutcome(Throwable failure) {
    if (failure instanceof StoreException ours) {
      return ours.outcome();
    }
    return isFinal(failure) ? Outcome.REJECTED : Outcome.UNKNOWN;
  }

  /**
   * Whether a single attempt with this failure was certainly not applied and may succeed if
   * repeated.
   */
  static boolean isBeforeAnyEffect(Throwable failure) {
    return find(failure, NotServingRegionException.class) != null
        || find(failure, RegionTooBusyException.class) != null
        || find(failure, CallQueueTooBigException.class) != null
        || find(failure, ServerTooBusyException.class) != null
        || find(failure, RpcThrottlingException.class) != null
        || find(failure, ServerNotRunningYetException.class) != null
        || find(failure, RegionServerStoppedException.class) != null
        || find(failure, NoServerForRegionException.class) != null
        || find(failure, RegionOfflineException.class) != null
        || find(failure, FailedServerException.class) != null
        || find(failure, UnknownHostException.class) != null
        || find(failure, ConnectException.class) != null
        || isNowhere(failure);
  }

  /** Whether the client found no server to call, as between the closing and opening of a region. */
  private static boolean isNowhere(Throwable failure) {
    HBaseIOException refusal = find(failure, HBaseIOException.class);
    return refusal != null
        && String.valueOf(refusal.getMessage()).startsWith("No location found for ");
  }

  /** The reason in one line, without the client's lists of attempts. */
  static String reason(Throwable failure) {
    Throwable cause = failure;
    while ((cause instanceof RetriesExhaustedException || cause instanceof CompletionException)
        && cause.getCause() != null) {
      cause = cause.getCause();
    }
    if (cause instanceof InterruptedException || cause instanceof InterruptedIOException) {
      return "interrupted";
    }
    if (cause instanceof TimeoutException) {
      return "no response";
    }
    String message = cause.getMessage();
    String kind = cause.getClass().getSimpleName();
    if (message == null || message.isBlank()) {
      return kind;
    }
    String line = message.strip();
    int end = line.indexOf('\n');
    return kind + ": " + (end < 0 ? line : line.substring(0, end).strip());
  }

  private StoreException failed(String what, Family family, Outcome outcome, Throwable failure) {
    if (isMissing(failure)) {
      return new StoreException(Outcome.REJECTED, store + ": no family " + family, failure);
    }
    return new StoreException(outcome, store + ": " + what + ": " + reason(failure), failure);
  }

  /** Whether there was no response in time. */
  static boolean isTimeout(Throwable failure) {
    return find(failure, TimeoutException.class) != null
        || find(failure, TimeoutIOException.class) != null
        || find(failure, CallTimeoutException.class) != null;
  }

  static boolean isMissing(Throwable failure) {
    return find(failure, TableNotFoundException.class) != null
        || find(failure, NoSuchColumnFamilyException.class) != null;
  }

  /** Whether the same call will always fail and has changed nothing. */
  private static boolean isFinal(Throwable failure) {
    DoNotRetryIOException refusal = find(failure, DoNotRetryIOException.class);
    return refusal != null
        && !(refusal instanceof TableNotEnabledException)
        && !(refusal instanceof ServerTooBusyException)
        && !(refusal instanceof StoppedRpcClientException)
        && !isSilence(refusal)
        && !refusal.getClass().getSimpleName().equals(NONCE_CONFLICT)
        && !String.valueOf(refusal.getMessage()).contains(NONCE_CONFLICT);
  }

  /** Whether ZooKeeper did not respond to a request for an address. */
  private static boolean isSilence(DoNotRetryIOException refusal) {
    return String.valueOf(refusal.getMessage()).matches("Zookeeper .* could not be completed .*");
  }

  static <T extends Throwable> @Nullable T find(Throwable failure, Class<T> type) {
    for (Throwable t = failure; t != null; t = t.getCause()) {
      if (type.isInstance(t)) {
        return type.cast(t);
      }
    }
    return null;
  }
}
