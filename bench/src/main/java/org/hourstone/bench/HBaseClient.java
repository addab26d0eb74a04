package org.hourstone.bench;

import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;

/**
 * HBase's own client, with its default settings.
 *
 * @param asynchronous whether it is the asynchronous client, on which our store is built
 */
record HBaseClient(AsyncConnection asynchronous, Connection blocking) implements AutoCloseable {
  /**
   * @param uri a store's: {@code hbase://HOST:PORT/NODE}
   */
  static HBaseClient connect(String uri) throws IOException {
    URI parts = URI.create(uri);
    Configuration conf = HBaseConfiguration.create();
    conf.set(HConstants.ZOOKEEPER_QUORUM, parts.getHost());
    conf.setInt(HConstants.ZOOKEEPER_CLIENT_PORT, parts.getPort());
    conf.set(HConstants.ZOOKEEPER_ZNODE_PARENT, parts.getPath());
    return new HBaseClient(
        ConnectionFactory.createAsyncConnection(conf).join(),
        ConnectionFactory.createConnection(conf));
  }

  @Override
  public void close() throws IOException {
    blocking.close();
    asynchronous.close();
  }
}
