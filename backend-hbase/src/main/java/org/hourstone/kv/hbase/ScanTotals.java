package org.hourstone.kv.hbase;

import java.util.concurrent.atomic.LongAdder;
import org.hourstone.kv.ScanCounts;

/** Counts the rows of all scans of a store. */
final class ScanTotals implements ScanCounts {
  private final LongAdder scanned = new LongAdder();
  private final LongAdder shipped = new LongAdder();
  private final LongAdder returned = new LongAdder();
  private final LongAdder reopened = new LongAdder();

  void addScanned(long rows) {
    scanned.add(rows);
  }

  void addShipped() {
    shipped.increment();
  }

  void addReturned() {
    returned.increment();
  }

  void addReopened() {
    reopened.increment();
  }

  /** How often a scan went on with another scanner. */
  long reopened() {
    return reopened.sum();
  }

  @Override
  public Rows total() {
    long cameBack = returned.sum(); // each row is counted here last
    long came = shipped.sum();
    return new Rows(scanned.sum(), came, cameBack);
  }
}
