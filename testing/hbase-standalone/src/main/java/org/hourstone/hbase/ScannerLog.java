package org.hourstone.hbase;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.RegionScanner;

/**
 * For tests, on the tables that name it: how many scanners were opened, and how many were closed,
 * by the client or because its lease had expired.
 */
public final class ScannerLog implements RegionCoprocessor, RegionObserver {
  /** By table; guarded by itself, as the other is by it. */
  private static final Map<String, Integer> OPENED = new HashMap<>();

  private static final Map<String, Integer> CLOSED = new HashMap<>();

  @Override
  public Optional<RegionObserver> getRegionObserver() {
    return Optional.of(this);
  }

  @Override
  public RegionScanner postScannerOpen(
      ObserverContext<RegionCoprocessorEnvironment> context, Scan scan, RegionScanner scanner) {
    count(OPENED, context);
    return scanner;
  }

  @Override
  public void postScannerClose(
      ObserverContext<RegionCoprocessorEnvironment> context, InternalScanner scanner) {
    count(CLOSED, context);
  }

  private static void count(
      Map<String, Integer> log, ObserverContext<RegionCoprocessorEnvironment> context) {
    String table = context.getEnvironment().getRegionInfo().getTable().getNameAsString();
    synchronized (OPENED) {
      log.merge(table, 1, Integer::sum);
      OPENED.notifyAll();
    }
  }

  /** How many were opened in this process. */
  static int opened(String table) {
    synchronized (OPENED) {
      return OPENED.getOrDefault(table, 0);
    }
  }

  /**
   * Waits until a number of scanners were closed in this process.
   *
   * @throws TimeoutException if they are not within a minute
   */
  static void awaitClosed(String table, int count) throws InterruptedException, TimeoutException {
    long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    synchronized (OPENED) {
      while (CLOSED.getOrDefault(table, 0) < count) {
        long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
        if (left <= 0) {
          throw new TimeoutException("closed scanners of " + table + ": " + CLOSED.get(table));
        }
        OPENED.wait(left);
      }
    }
  }
}
