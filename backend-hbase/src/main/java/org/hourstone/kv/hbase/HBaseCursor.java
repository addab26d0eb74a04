package org.hourstone.kv.hbase;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;
import org.hourstone.kv.Family;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.Scan;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a scan. The client reads ahead up to a bounded number of bytes, renews the server's
 * lease while the cursor is idle, and continues after the last complete row if a region has moved,
 * was split or its server died.
 *
 * <p>Used by one thread at a time; closed by any.
 */
final class HBaseCursor implements RowCursor {
  private final InFlightCalls calls;
  private final HBaseErrors errors;
  private final Family family;
  private final Scan scan;
  private final @Nullable ResultScanner results;
  private final ScanTotals totals;
  private final Consumer<HBaseCursor> whenClosed;
  private long left;
  private long scanned;
  private volatile boolean closed;

  /**
   * @param results null for a scan that can have no rows
   */
  HBaseCursor(
      InFlightCalls calls,
      HBaseErrors errors,
      Family family,
      Scan scan,
      @Nullable ResultScanner results,
      ScanTotals totals,
      Consumer<HBaseCursor> whenClosed) {
    this.calls = calls;
    this.errors = errors;
    this.family = family;
    this.scan = scan;
    this.results = results;
    this.totals = totals;
    this.whenClosed = whenClosed;
    this.left = scan.limit();
  }

  @Override
  public @Nullable Row next() {
    long call = calls.enter();
    try {
      requireOpen();
      return results == null ? null : advance(results);
    } finally {
      calls.leave(call);
    }
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("the cursor is closed");
    }
  }

  private @Nullable Row advance(ResultScanner scanner) {
    while (left > 0) {
      Result result = fetched(scanner);
      countScanned(scanner);
      if (result == null) {
        requireOpen(); // otherwise closing by another thread would look like the end of the rows
        left = 0;
        return null;
      }
      totals.addShipped();
      byte[] key = result.getRow();
      if (key != null && scan.filter().matches(key)) {
        left--;
        totals.addReturned();
        return Requests.row(key, result);
      }
    }
    return null;
  }

  /** Each response of a server contains the number of rows it has read for it. */
  private void countScanned(ResultScanner scanner) {
    ScanMetrics metrics = scanner.getScanMetrics();
    long now = metrics == null ? scanned : metrics.countOfRowsScanned.get();
    if (now > scanned) {
      totals.addScanned(now - scanned);
      scanned = now;
    }
  }

  private @Nullable Result fetched(ResultScanner scanner) {
    try {
      return scanner.next();
    } catch (InterruptedIOException e) {
      Thread.currentThread().interrupt();
      throw errors.read(family, e);
    } catch (IOException e) {
      throw errors.read(family, e);
    }
  }

  @Override
  public void close() {
    closed = true;
    if (results != null) {
      results.close();
    }
    whenClosed.accept(this);
  }
}
