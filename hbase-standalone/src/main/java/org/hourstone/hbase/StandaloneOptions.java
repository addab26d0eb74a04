package org.hourstone.hbase;

import java.nio.file.Path;

/**
 * The command line of {@link Standalone}.
 *
 * @param directory where ZooKeeper and HBase keep their data; found again by the next start
 * @param port of ZooKeeper on the loopback interface, or the next that is free
 * @param regionServers at least 1
 * @param kerberos whether clients must have a ticket, of a Kerberos that is started too
 * @param strict whether requests of more than 5,000 rows or 96 MB are refused
 * @param endWithInput whether to end when standard input does
 */
record StandaloneOptions(
    Path directory,
    int port,
    int regionServers,
    boolean kerberos,
    boolean strict,
    boolean endWithInput) {
  static final int ANY_PORT = 0;

  static final String USAGE =
      "[--directory DIR] [--port ZOOKEEPER-PORT] [--region-servers N] [--kerberos]"
          + " [--strict] [--end-with-input]";

  static StandaloneOptions parse(String[] args) {
    Path directory = Path.of("hbase-data");
    int port = 2181;
    int regionServers = 1;
    boolean kerberos = false;
    boolean strict = false;
    boolean endWithInput = false;
    for (int i = 0; i < args.length; i++) {
      switch (args[i]) {
        case "--directory" -> directory = Path.of(value(args, ++i));
        case "--port" -> port = Integer.parseInt(value(args, ++i));
        case "--region-servers" -> regionServers = Integer.parseInt(value(args, ++i));
        case "--kerberos" -> kerberos = true;
        case "--strict" -> strict = true;
        case "--end-with-input" -> endWithInput = true;
        default -> throw new IllegalArgumentException("unknown option " + args[i] + "; " + USAGE);
      }
    }
    return new StandaloneOptions(directory, port, regionServers, kerberos, strict, endWithInput);
  }

  private static String value(String[] args, int i) {
    if (i == args.length) {
      throw new IllegalArgumentException(args[i - 1] + " needs a value; " + USAGE);
    }
    return args[i];
  }
}
