package org.hourstone.bench;

import java.io.IOException;
import java.net.URI;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.hourstone.hbase.HBaseProcess;

/**
 * An HBase in a process of its own.
 *
 * @param client HBase's asynchronous client, on which our store is built, with its default settings
 */
record HBaseSubject(HBaseProcess hbase, AsyncConnection client) implements Subject {
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

  @Override
  public HBasePlace place() {
    return new HBasePlace(hbase, client);
  }

  @Override
  public double serverCpu() {
    return ProcessCpu.seconds(ProcessHandle.of(hbase.pid()).orElseThrow());
  }

  @Override
  public void close() throws IOException {
    client.close();
    hbase.close();
  }
}
