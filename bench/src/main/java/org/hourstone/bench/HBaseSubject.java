package org.hourstone.bench;

import java.io.IOException;
import java.net.URI;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.hourstone.hbase.HBaseProcess;

/**
 * An HBase in a process of its own.
 *
 * @param client HBase's asynchronous client, on which our store is built, with its default settings
 */
record HBaseSubject(HBaseProcess hbase, AsyncConnection client) implements AutoCloseable {
  private static final int POLL_MILLIS = 50;

  /** Starts one. */
  static HBaseSubject start() throws IOException {
    HBaseProcess hbase = HBaseProcess.start(List.of("-Xmx3g", "-XX:-UseSerialGC", "-XX:+UseG1GC"));
    URI uri = URI.create(hbase.uri()); // hbase://HOST:PORT/NODE
    Configuration conf = HBaseConfiguration.create();
    conf.set(HConstants.ZOOKEEPER_QUORUM, uri.getHost());
    conf.setInt(HConstants.ZOOKEEPER_CLIENT_PORT, uri.getPort());
    conf.set(HConstants.ZOOKEEPER_ZNODE_PARENT, uri.getPath());
    return new HBaseSubject(hbase, ConnectionFactory.createAsyncConnection(conf).join());
  }

  /** CPU seconds of its process so far. */
  double serverCpu() {
    return Meter.cpu(ProcessHandle.of(hbase.pid()).orElseThrow());
  }

  /** Writes a table to files, and merges them to one for each region. */
  void settle(String table) {
    TableName name = TableName.valueOf(table);
    var admin = client.getAdmin();
    // Region by region: the procedure that flushes a table can hang where a region is being
    // flushed.
    admin
        .getRegions(name)
        .join()
        .forEach(region -> admin.flushRegion(region.getRegionName()).join());
    admin.majorCompact(name).join();
    while (admin.getCompactionState(name).join() != CompactionState.NONE) {
      try {
        Thread.sleep(POLL_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  @Override
  public void close() throws IOException {
    client.close();
    hbase.close();
  }
}
