package org.hourstone.hbase;

import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.HBaseConfiguration;

/** How the servers of this process are configured. */
final class ServerSettings {
  private ServerSettings() {}

  static Configuration of(StandaloneOptions options, Path directory, int zooKeeperPort) {
    Configuration conf = HBaseConfiguration.create();
    conf.set("hbase.rootdir", directory.resolve("hbase").toUri().toString());
    conf.set("hbase.tmp.dir", directory.resolve("tmp").toString());
    conf.setBoolean("hbase.cluster.distributed", false);
    conf.set("hbase.wal.provider", "filesystem");
    conf.setBoolean("hbase.unsafe.stream.capability.enforce", false);
    // The one with checksums keeps the end of a log in memory: it would be lost with the process.
    conf.setClass("fs.file.impl", LocalFiles.class, FileSystem.class);
    conf.set("hbase.zookeeper.quorum", "127.0.0.1");
    conf.setInt("hbase.zookeeper.property.clientPort", zooKeeperPort);
    conf.setInt("zookeeper.session.timeout", 60_000);

    for (String server : new String[] {"hbase.master", "hbase.regionserver"}) {
      conf.set(server + ".ipc.address", options.relayed() ? Relays.SERVERS : "127.0.0.1");
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

    // A start that takes long is no failure where a machine is slow or busy.
    conf.setInt("hbase.master.start.timeout.localHBaseCluster", 180_000);
    conf.setInt("hbase.master.init.timeout.localHBaseCluster", 300_000);

    // Hundreds of small tables: else each takes a chunk of 2 MB.
    conf.setBoolean("hbase.hregion.memstore.mslab.enabled", false);

    options.settings().forEach(conf::set);
    return conf;
  }
}
