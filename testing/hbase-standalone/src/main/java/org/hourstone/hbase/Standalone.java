package org.hourstone.hbase;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;

/**
 * Runs ZooKeeper, an HBase master and region servers in this process, on the loopback interface and
 * a local directory, until the process is ended. Prints the store URI when it is ready.
 *
 * <p>With {@code --end-with-input} it obeys {@link Commands}, and ends, at once and without tidying
 * up, when its standard input does: a test's cluster must not outlive the test, however that dies.
 */
public final class Standalone {
  private Standalone() {}

  public static void main(String[] args) throws Exception {
    StandaloneOptions options = StandaloneOptions.parse(args);
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.US_ASCII);
    // HBase prints to it, too: a ThreadGroup that still has threads, for one.
    System.setOut(System.err);
    Commands commands = new Commands(System.in, out);
    if (options.commands()) {
      commands.start();
    }
    Path directory = Files.createDirectories(options.directory().toAbsolutePath());
    Relays relays = options.relayed() ? Relays.overLocalhost() : null;
    Integer join = options.join();
    LocalZooKeeper zooKeeper =
        join == null
            ? LocalZooKeeper.start(
                directory.resolve("zookeeper"), options.port(), options.tickMillis())
            : null;
    int port = zooKeeper == null ? join(join) : zooKeeper.port();
    Configuration conf = ServerSettings.of(options, directory, port);
    if (options.hdfs()) {
      conf.set("hbase.rootdir", LocalHdfs.start(directory.resolve("hdfs")) + "/hbase");
    }
    Kerberos kerberos = options.kerberos() ? Kerberos.start(directory.resolve("kerberos")) : null;
    if (kerberos != null) {
      kerberos.configure(conf);
    }
    LocalServers servers = new LocalServers(conf, relays);
    if (zooKeeper == null) {
      servers.startRegionServers(options.regionServers());
    } else {
      servers.startCluster(options.regionServers());
    }
    int clientPort = relays == null ? port : relays.to("127.0.0.1", port);
    String parameters = kerberos == null ? "" : kerberos.parameters();
    out.println("hbase://127.0.0.1:" + clientPort + "/hbase" + parameters);
    commands.serve(servers, zooKeeper, relays); // the servers run in threads of their own
  }

  private static int join(@Nullable Integer port) {
    if (port == null) {
      throw new IllegalArgumentException("neither a ZooKeeper nor the port of one");
    }
    return port;
  }
}
