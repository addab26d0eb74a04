package org.hourstone.hbase;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Predicate;
import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.ServerCnxn;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.apache.zookeeper.server.persistence.FileTxnLog;

/** A ZooKeeper of one server on the loopback interface. */
final class LocalZooKeeper {
  private static final int MOST_CONNECTIONS = 1_000;

  /** Of a file of its log, in kilobytes: what it usually takes at once is far more. */
  private static final int LOG_STEP = 100;

  private final ZooKeeperServer server;
  private final NIOServerCnxnFactory connections;

  private LocalZooKeeper(ZooKeeperServer server, NIOServerCnxnFactory connections) {
    this.server = server;
    this.connections = connections;
  }

  /**
   * @param port the first to try
   */
  static LocalZooKeeper start(Path directory, int port, int tickMillis)
      throws IOException, InterruptedException {
    FileTxnLog.setPreallocSize(LOG_STEP * 1024L);
    Path data = Files.createDirectories(directory);
    ZooKeeperServer server = new ZooKeeperServer(data.toFile(), data.toFile(), tickMillis);
    NIOServerCnxnFactory connections = new NIOServerCnxnFactory();
    for (int next = port; ; next++) {
      try {
        connections.configure(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), next), MOST_CONNECTIONS);
        break;
      } catch (BindException taken) {
        if (next == port + 1_000) {
          throw taken;
        }
      }
    }
    connections.startup(server);
    return new LocalZooKeeper(server, connections);
  }

  int port() {
    return connections.getLocalPort();
  }

  /** Ends a session as if nothing had been heard of its owner for too long. */
  void expire(long session) {
    server.closeSession(session);
  }

  /**
   * Ends the sessions of those connected from certain addresses.
   *
   * @return how many
   */
  int expire(Predicate<InetSocketAddress> from) {
    int expired = 0;
    for (ServerCnxn connection : connections.getConnections()) {
      if (from.test(connection.getRemoteSocketAddress())) {
        expire(connection.getSessionId());
        expired++;
      }
    }
    return expired;
  }
}
