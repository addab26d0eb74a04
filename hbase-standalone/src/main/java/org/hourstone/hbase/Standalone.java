package org.hourstone.hbase;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.LocalHBaseCluster;
import org.apache.hadoop.hbase.zookeeper.MiniZooKeeperCluster;

/**
 * Runs ZooKeeper, an HBase master and region servers in this process, on the loopback interface and
 * a local directory, until the process is ended. Prints the store URI when it is ready.
 *
 * <p>With {@code --end-with-input} it ends, at once and without tidying up, when its standard input
 * does: a test's cluster must not outlive the test, however that dies.
 */
public final class Standalone {
  private static final int TICK_MILLIS = 6_000;

  private Standalone() {}

  public static void main(String[] args) throws Exception {
    StandaloneOptions options = StandaloneOptions.parse(args);
    if (options.endWithInput()) {
      Thread watch = new Thread(Standalone::haltWithInput, "end-with-input");
      watch.setDaemon(true);
      watch.start();
    }
    Path directory = Files.createDirectories(options.directory().toAbsolutePath());
    Configuration conf = HBaseConfiguration.create();
    MiniZooKeeperCluster zooKeeper = new MiniZooKeeperCluster(conf);
    if (options.port() != StandaloneOptions.ANY_PORT) {
      zooKeeper.setDefaultClientPort(options.port());
    }
    zooKeeper.setTickTime(TICK_MILLIS);
    int port = zooKeeper.startup(directory.resolve("zookeeper").toFile());
    configure(conf, directory, port);
    if (options.strict()) {
      conf.setBoolean("hbase.rpc.rows.size.threshold.reject", true);
      conf.setInt("hbase.ipc.max.request.size", 96 << 20);
    }
    String uri = "hbase://127.0.0.1:" + port + "/hbase";
    if (options.kerberos()) {
      Kerberos kerberos = Kerberos.start(directory.resolve("kerberos"));
      kerberos.configure(conf);
      uri += kerberos.parameters();
    }
    LocalHBaseCluster cluster = new LocalHBaseCluster(conf, 1, options.regionServers());
    cluster.startup();
    while (!cluster.getActiveMaster().isInitialized()) {
      Thread.sleep(20);
    }
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.US_ASCII);
    out.println(uri);
    new CountDownLatch(1).await(); // the servers run in threads of their own until they are killed
  }

  private static void configure(Configuration conf, Path directory, int zooKeeperPort) {
    conf.set("hbase.rootdir", directory.resolve("hbase").toUri().toString());
    conf.set("hbase.tmp.dir", directory.resolve("tmp").toString());
    conf.setBoolean("hbase.cluster.distributed", false);
    conf.set("hbase.wal.provider", "filesystem");
    conf.setBoolean("hbase.unsafe.stream.capability.enforce", false);
    conf.set("hbase.zookeeper.quorum", "127.0.0.1");
    conf.setInt("hbase.zookeeper.property.clientPort", zooKeeperPort);
    conf.setInt("zookeeper.session.timeout", 60_000);

    for (String server : new String[] {"hbase.master", "hbase.regionserver"}) {
      conf.set(server + ".ipc.address", "127.0.0.1");
      conf.setInt(server + ".port", 0);
      conf.setInt(server + ".info.port", -1);
    }
    conf.set("hbase.master.hostname", "localhost");
    conf.set("hbase.unsafe.regionserver.hostname", "localhost");

    // Starting, and making tables, wait for nothing that never comes on one machine.
    conf.setInt("hbase.master.wait.on.regionservers.interval", 50);
    conf.setInt("hbase.regionserver.msginterval", 500);
    conf.setInt("hbase.procedure.remote.dispatcher.delay.msec", 5);
    conf.setInt("hbase.assignment.dispatch.wait.msec", 5);
    conf.setInt("hbase.regionserver.handler.count", 16);
    conf.setInt("hbase.master.handler.count", 8);

    // Hundreds of small tables: else each takes a chunk of 2 MB.
    conf.setBoolean("hbase.hregion.memstore.mslab.enabled", false);
  }

  private static void haltWithInput() {
    try {
      while (System.in.read() >= 0) {
        // Nobody writes: the read ends with whoever holds the other end.
      }
    } catch (IOException gone) {
      Runtime.getRuntime().halt(1);
    }
    Runtime.getRuntime().halt(0);
  }
}
