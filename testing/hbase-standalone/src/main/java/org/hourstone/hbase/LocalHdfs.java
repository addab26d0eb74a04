package org.hourstone.hbase;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;

/**
 * An HDFS of one name node and one data node in this process: unlike the local file system it has
 * leases, which HBase recovers before it replays the log of a dead server.
 */
final class LocalHdfs {
  private static final String ANY_PORT = "127.0.0.1:0";

  private LocalHdfs() {}

  /**
   * Starts one without data.
   *
   * @return its URI
   */
  static String start(Path directory) throws IOException {
    Configuration conf = new Configuration();
    conf.set("fs.defaultFS", "hdfs://" + ANY_PORT);
    conf.set("dfs.namenode.name.dir", directory.resolve("names").toUri().toString());
    conf.set("dfs.datanode.data.dir", directory.resolve("data").toUri().toString());
    conf.set("dfs.namenode.http-address", ANY_PORT);
    for (String kind : new String[] {"address", "http.address", "ipc.address"}) {
      conf.set("dfs.datanode." + kind, ANY_PORT);
    }
    conf.setInt("dfs.replication", 1);
    // Where servers are behind relays, this process has no name for the address.
    conf.setBoolean("dfs.namenode.datanode.registration.ip-hostname-check", false);
    DefaultMetricsSystem.setMiniClusterMode(true); // formatting and starting register the same ones
    NameNode.format(conf);
    NameNode names = NameNode.createNameNode(new String[0], conf);
    String uri = "hdfs://127.0.0.1:" + names.getNameNodeAddress().getPort();
    conf.set("fs.defaultFS", uri);
    DataNode.createDataNode(new String[0], conf);
    return uri;
  }
}
