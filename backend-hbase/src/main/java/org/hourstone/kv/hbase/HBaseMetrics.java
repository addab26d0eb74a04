package org.hourstone.kv.hbase;

import java.util.List;
import org.hourstone.kv.StoreMetrics;

/**
 * The work of a store on HBase. None of it waits for the servers. Attempts that HBase's client
 * repeats by itself are not counted: it does not tell.
 */
record HBaseMetrics(
    WriteBuffer buffer, SingleAttempts attempts, InFlightCalls calls, ScanTotals scans)
    implements StoreMetrics {
  @Override
  public List<Metric> metrics() {
    return List.of(
        new Metric(
            "hbase_write_buffer_bytes", "Bytes of batches that are on their way", buffer.used()),
        new Metric(
            "hbase_write_buffer_limit_bytes",
            "The most bytes of batches on their way: write.buffer",
            buffer.limit()),
        new Metric(
            "hbase_write_buffer_waits_total",
            "How often a batch waited for room in the buffer",
            buffer.waits()),
        new Metric(
            "hbase_repeated_changes_total",
            "Attempts at conditional changes that were repeated since the region was not there",
            attempts.repeated()),
        new Metric(
            "hbase_timeouts_total",
            "Calls that ended without a response in time",
            calls.timeouts()),
        new Metric(
            "hbase_reopened_scans_total",
            "How often a scan went on with another scanner, since its server had lost it or did"
                + " not respond",
            scans.reopened()));
  }
}
