package org.hourstone.kv.hbase;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;
import org.apache.hadoop.hbase.regionserver.LeaseException;
import org.hourstone.kv.Family;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.Scan;
import org.hourstone.kv.StoreException;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a scan. The client reads ahead up to a bounded number of bytes, renews the server's
 * lease while the cursor is idle, and continues after the last complete row if a region has moved
 * or was split. The cursor does the same in two other cases: a server that is stopping drops the
 * leases of its scanners before it stops responding, which the client treats as final; and of a
 * server that has died, the client requests the next rows of an open scanner until the timeout.
 *
 * <p>Used by one thread at a time; closed by any.
 */
final class HBaseCursor implements RowCursor {
  /** The maximum number of scanners opened one after another without a row in between. */
  private static final int MAX_LOST_LEASES = 10;

  private static final long PAUSE_MILLIS = 100;

  /** Opens a scanner of the rows after a key, or of all rows of the scan. */
  @FunctionalInterface
  interface Source {
    ResultScanner open(byte @Nullable [] after, long limit);
  }

  private final InFlightCalls calls;
  private final HBaseErrors errors;
  private final Family family;
  private final Scan scan;
  private final long timeoutNanos;
  private final @Nullable Source source;
  private final ScanTotals totals;
  private final Consumer<HBaseCursor> whenClosed;
  private long left;
  private long scanned;
  private byte @Nullable [] last;
  private int lostLeases;
  private volatile @Nullable ResultScanner results;
  private volatile boolean closed;

  /**
   * @param timeout for how long to wait for a row, if scanners fail before
   * @param source opens scanners; null for a scan that can have no rows
   */
  HBaseCursor(
      InFlightCalls calls,
      HBaseErrors errors,
      Family family,
      Scan scan,
      Duration timeout,
      @Nullable Source source,
      ScanTotals totals,
      Consumer<HBaseCursor> whenClosed) {
    this.calls = calls;
    this.errors = errors;
    this.family = family;
    this.scan = scan;
    this.timeoutNanos = timeout.toNanos();
    this.source = source;
    this.totals = totals;
    this.whenClosed = whenClosed;
    this.left = scan.limit();
    this.results = source == null ? null : source.open(null, left);
  }

  @Override
  public @Nullable Row next() {
    return calls.call(
        () -> {
          requireOpen();
          return source == null ? null : advance(source);
        });
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("the cursor is closed");
    }
  }

  private @Nullable Row advance(Source source) {
    while (left > 0) {
      Result result = fetched(source);
      if (result == null) {
        requireOpen(); // otherwise closing by another thread would look like the end of the rows
        left = 0;
        return null;
      }
      totals.addShipped();
      byte[] key = result.getRow();
      if (key != null) {
        last = key;
        lostLeases = 0;
      }
      if (key != null && scan.filter().matches(key)) {
        left--;
        totals.addReturned();
        return Requests.row(key, result);
      }
    }
    return null;
  }

  /** Each response of a server contains the number of rows that the server has read for it. */
  private void countScanned(ResultScanner scanner) {
    ScanMetrics metrics = scanner.getScanMetrics();
    long now = metrics == null ? scanned : metrics.countOfRowsScanned.get();
    if (now > scanned) {
      totals.addScanned(now - scanned);
      scanned = now;
    }
  }

  private @Nullable Result fetched(Source source) {
    long begun = System.nanoTime();
    while (true) {
      ResultScanner scanner = Objects.requireNonNull(results);
      try {
        Result result = scanner.next();
        countScanned(scanner);
        return result;
      } catch (InterruptedIOException e) {
        throw interrupted(e);
      } catch (IOException e) {
        prepareToGoOn(e, begun);
        reopen(source, scanner);
      }
    }
  }

  /**
   * @throws StoreException if no other scanner may do better, or not in time
   */
  private void prepareToGoOn(IOException failure, long begun) {
    if (HBaseErrors.find(failure, LeaseException.class) != null) {
      if (++lostLeases > MAX_LOST_LEASES) {
        throw errors.read(family, failure);
      }
      return;
    }
    boolean isFinal = HBaseErrors.find(failure, DoNotRetryIOException.class) != null;
    if (isFinal || System.nanoTime() - begun >= timeoutNanos) {
      throw errors.read(family, failure);
    }
    try {
      TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS); // some failures are reported at once
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  private StoreException interrupted(Exception e) {
    Thread.currentThread().interrupt();
    return errors.read(family, e);
  }

  private void reopen(Source source, ResultScanner lost) {
    lost.close();
    totals.addReopened();
    ResultScanner reopened = source.open(last, left);
    results = reopened;
    scanned = 0;
    if (closed) {
      reopened.close(); // the thread that closed the cursor may have seen only the lost scanner
      requireOpen();
    }
  }

  @Override
  public void close() {
    closed = true;
    ResultScanner open = results;
    if (open != null) {
      open.close();
    }
    whenClosed.accept(this);
  }
}
