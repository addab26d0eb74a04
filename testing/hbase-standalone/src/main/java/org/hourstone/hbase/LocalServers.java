package org.hourstone.hbase;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.LocalHBaseCluster;
import org.apache.hadoop.hbase.util.JVMClusterUtil;
import org.apache.hadoop.hbase.util.JVMClusterUtil.MasterThread;
import org.apache.hadoop.hbase.util.JVMClusterUtil.RegionServerThread;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.jspecify.annotations.Nullable;

/** The HBase servers of this process. Used by one thread. */
final class LocalServers {
  private final Configuration conf;
  private final @Nullable Relays relays;
  private final LocalHBaseCluster cluster;

  /** The ports of servers that are behind a relay. */
  private final Map<Thread, Integer> relayed = new HashMap<>();

  private int started;

  LocalServers(Configuration conf, @Nullable Relays relays) throws IOException {
    this.conf = conf;
    this.relays = relays;
    this.cluster = new LocalHBaseCluster(conf, 0, 0);
    DefaultMetricsSystem.setMiniClusterMode(true); // each server has the same ones
  }

  /** Starts a master and region servers, and waits until they can be used. */
  void startCluster(int regionServers) throws IOException {
    addMaster();
    for (int i = 0; i < regionServers; i++) {
      addRegionServer();
    }
    cluster.startup();
    for (RegionServerThread server : cluster.getRegionServers()) {
      awaitOnline(server);
    }
  }

  /** Starts region servers of a cluster that runs elsewhere, and waits until they are online. */
  void startRegionServers(int count) throws IOException {
    for (int i = 0; i < count; i++) {
      RegionServerThread server = addRegionServer();
      server.start();
      awaitOnline(server);
    }
  }

  private static void awaitOnline(RegionServerThread server) throws IOException {
    server.waitForServerOnline();
    if (!server.getRegionServer().isOnline()) {
      throw new IOException(server.getRegionServer() + " has not started");
    }
  }

  /** Kills the master and starts another, which has then taken over. */
  void restartMaster() throws IOException {
    MasterThread old = cluster.getMasters().get(0);
    old.getMaster().abort("told to");
    cluster.waitOnMaster(old);
    removeRelay(old);
    JVMClusterUtil.startup(List.of(addMaster()), List.of());
  }

  /** Stops a region server, which closes its regions, and starts another. */
  void restartRegionServer(int number) throws IOException {
    RegionServerThread old = cluster.getRegionServers().get(number);
    old.getRegionServer().stop("told to");
    ended(old);
    startRegionServers(1);
  }

  /** Waits for a region server that is about to die, and starts another. */
  void replaceRegionServer(int number) throws IOException {
    ended(cluster.getRegionServers().get(number));
    startRegionServers(1);
  }

  /** The ZooKeeper session of a region server. */
  long session(int number) {
    return cluster.getRegionServer(number).getZooKeeper().getRecoverableZooKeeper().getSessionId();
  }

  /** The URI of the directory that has the data of the cluster. */
  String rootDirectory() {
    return conf.get("hbase.rootdir", "");
  }

  /** The region servers, as HBase names them. */
  List<String> names() {
    List<String> names = new ArrayList<>();
    for (RegionServerThread server : cluster.getRegionServers()) {
      names.add(server.getRegionServer().getServerName().getServerName());
    }
    return names;
  }

  private MasterThread addMaster() throws IOException {
    Configuration own = new Configuration(conf);
    int port = addRelay(own, "hbase.master.port");
    MasterThread master = cluster.addMaster(own, started++);
    relayed.put(master, port);
    return master;
  }

  private RegionServerThread addRegionServer() throws IOException {
    Configuration own = new Configuration(conf);
    int port = addRelay(own, "hbase.regionserver.port");
    RegionServerThread server = cluster.addRegionServer(own, started++);
    relayed.put(server, port);
    return server;
  }

  private int addRelay(Configuration own, String key) throws IOException {
    if (relays == null) {
      return 0;
    }
    int port = relays.toServerOfSamePort();
    own.setInt(key, port);
    return port;
  }

  private void ended(RegionServerThread server) {
    cluster.waitOnRegionServer(server);
    removeRelay(server);
  }

  private void removeRelay(Thread server) {
    Integer port = relayed.remove(server);
    if (port != null && relays != null) {
      relays.remove(port);
    }
  }
}
