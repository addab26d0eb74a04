package org.hourstone.hbase;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The command line of {@link Standalone}.
 *
 * @param directory where ZooKeeper and HBase keep their data; found again by the next start
 * @param port of ZooKeeper on the loopback interface, or the next that is free
 * @param join the port of another such process's ZooKeeper, whose cluster the region servers of
 *     this one join; null for a cluster of its own
 * @param regionServers at least 1
 * @param tickMillis ZooKeeper's unit of time: sessions last 2 to 20 of them
 * @param settings of the servers, before all others
 * @param hdfs whether HBase's data is in a {@link LocalHdfs} that is started too
 * @param relayed whether clients come by {@link Relays}
 * @param kerberos whether clients must have a ticket, of a {@link Kerberos} that is started too
 * @param commands whether to obey {@link Commands} on standard input, and end when that does
 */
record StandaloneOptions(
    Path directory,
    int port,
    @Nullable Integer join,
    int regionServers,
    int tickMillis,
    Map<String, String> settings,
    boolean hdfs,
    boolean relayed,
    boolean kerberos,
    boolean commands) {
  static final int ANY_PORT = 0;

  static final String USAGE =
      "[--directory DIR] [--port ZOOKEEPER-PORT | --join ZOOKEEPER-PORT] [--region-servers N]"
          + " [--tick MILLISECONDS] [--set KEY=VALUE]… [--hdfs] [--relayed] [--kerberos] [--end-with-input]";

  static StandaloneOptions parse(String[] args) {
    Path directory = Path.of("hbase-data");
    int port = 2181;
    Integer join = null;
    int regionServers = 1;
    int tickMillis = 6_000;
    Map<String, String> settings = new LinkedHashMap<>();
    boolean hdfs = false;
    boolean relayed = false;
    boolean kerberos = false;
    boolean commands = false;
    for (int i = 0; i < args.length; i++) {
      switch (args[i]) {
        case "--directory" -> directory = Path.of(value(args, ++i));
        case "--port" -> port = Integer.parseInt(value(args, ++i));
        case "--join" -> join = Integer.valueOf(value(args, ++i));
        case "--region-servers" -> regionServers = Integer.parseInt(value(args, ++i));
        case "--tick" -> tickMillis = Integer.parseInt(value(args, ++i));
        case "--set" -> {
          String setting = value(args, ++i);
          int equals = setting.indexOf('=');
          if (equals < 1) {
            throw new IllegalArgumentException("--set needs KEY=VALUE, not " + setting);
          }
          settings.put(setting.substring(0, equals), setting.substring(equals + 1));
        }
        case "--hdfs" -> hdfs = true;
        case "--relayed" -> relayed = true;
        case "--kerberos" -> kerberos = true;
        case "--end-with-input" -> commands = true;
        default -> throw new IllegalArgumentException("unknown option " + args[i] + "; " + USAGE);
      }
    }
    return new StandaloneOptions(
        directory,
        port,
        join,
        regionServers,
        tickMillis,
        settings,
        hdfs,
        relayed,
        kerberos,
        commands);
  }

  private static String value(String[] args, int i) {
    if (i == args.length) {
      throw new IllegalArgumentException(args[i - 1] + " needs a value; " + USAGE);
    }
    return args[i];
  }
}
