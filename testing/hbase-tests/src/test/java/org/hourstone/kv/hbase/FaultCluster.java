package org.hourstone.kv.hbase;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncAdmin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.hourstone.hbase.HBaseProcess;

/**
 * A cluster of three region servers: two in the process of the master and ZooKeeper, and one of its
 * own that can be killed. It notices soon that a server has died and gives scanners up soon.
 */
final class FaultCluster implements AutoCloseable {
  private static final String[] SETTINGS = {
    "--relayed",
    "--set",
    "zookeeper.session.timeout=6000",
    "--set",
    "hbase.client.scanner.timeout.period=4000",
    "--set",
    "hbase.regionserver.logroll.period=3600000",
  };

  private final HBaseProcess cluster;
  private final AsyncConnection connection;
  private HBaseProcess third;

  private FaultCluster(HBaseProcess cluster) {
    this.cluster = cluster;
    this.third = startThird();
    this.connection = TableCase.connect(cluster.uri());
  }

  static FaultCluster start() {
    return new FaultCluster(HBaseProcess.start(with("--region-servers", "2", "--tick", "1000")));
  }

  /** As {@link #start()}, with the data on an HDFS. */
  static FaultCluster startOnHdfs() {
    return new FaultCluster(
        HBaseProcess.start(with("--region-servers", "2", "--tick", "1000", "--hdfs")));
  }

  private HBaseProcess startThird() {
    return HBaseProcess.start(
        with(
            "--join", cluster.command("zookeeper-port"),
            "--directory", cluster.directory().toString(),
            "--set", "hbase.rootdir=" + cluster.command("root-directory")));
  }

  private static String[] with(String... options) {
    String[] all = new String[options.length + SETTINGS.length];
    System.arraycopy(options, 0, all, 0, options.length);
    System.arraycopy(SETTINGS, 0, all, options.length, SETTINGS.length);
    return all;
  }

  /** A store's URI, to which parameters may be added. */
  String uri() {
    return cluster.uri();
  }

  AsyncAdmin admin() {
    return connection.getAdmin();
  }

  AsyncConnection connection() {
    return connection;
  }

  /** Kills the region server that is a process of its own. */
  void killThird() {
    third.close();
  }

  /** Suspends the region server that is a process of its own, or lets it continue. */
  void signalThird(String signal) throws IOException, InterruptedException {
    int status = new ProcessBuilder("kill", "-" + signal, "" + third.pid()).start().waitFor();
    if (status != 0) {
      throw new IOException("kill -" + signal + ": status " + status);
    }
  }

  void replaceThird() {
    third = startThird();
  }

  ServerName third() {
    return ServerName.valueOf(third.command("region-servers"));
  }

  /** The region servers that are no processes of their own. */
  List<ServerName> others() {
    return List.of(cluster.command("region-servers").split(" ")).stream()
        .map(ServerName::valueOf)
        .toList();
  }

  /** Tells the process of the master. */
  String command(String command) {
    return cluster.command(command);
  }

  /** Cuts all clients off. */
  void cut() {
    command("cut");
    third.command("cut");
  }

  void repair() {
    command("repair");
    third.command("repair");
  }

  List<RegionInfo> regions(TableName table) {
    return await(admin().getRegions(table));
  }

  void move(RegionInfo region, ServerName to) {
    await(admin().move(region.getEncodedNameAsBytes(), to));
  }

  static <T> T await(CompletableFuture<T> future) {
    return future.orTimeout(Load.PATIENCE_SECONDS, TimeUnit.SECONDS).join();
  }

  @Override
  public void close() throws IOException {
    connection.close();
    third.close();
    cluster.close();
  }
}
