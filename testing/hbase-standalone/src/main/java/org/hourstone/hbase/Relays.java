package org.hourstone.hbase;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The ways by which clients come to the servers, for tests that cut them: then nothing gets through
 * in either direction and nothing is refused or reset, as on a network that drops packets. What was
 * on its way arrives when they are repaired.
 *
 * <p>HBase's servers tell clients their names and ports. So they listen on {@link #SERVERS}, which
 * is what {@code localhost} means in this process, where {@code -Djdk.net.hosts.file} names a file
 * that says so. For clients it means 127.0.0.1, where a relay listens on the same port. The servers
 * themselves come to each other without one.
 */
final class Relays {
  static final String SERVERS = "127.0.0.2";
  private static final int BACKLOG = 200;
  private static final int BUFFER = 1 << 16;

  private final Map<Integer, ServerSocket> listening = new ConcurrentHashMap<>();

  /** The ports from which connections to servers come. */
  private final Set<Integer> ports = ConcurrentHashMap.newKeySet();

  private final Object lock = new Object();
  private boolean cut;

  private Relays() {}

  /**
   * @throws IllegalStateException if {@code localhost} is not where the servers are to listen
   */
  static Relays overLocalhost() throws IOException {
    String servers = InetAddress.getByName("localhost").getHostAddress();
    if (!servers.equals(SERVERS)) {
      throw new IllegalStateException(
          "localhost must be " + SERVERS + " by -Djdk.net.hosts.file, not " + servers);
    }
    return new Relays();
  }

  /**
   * Opens a relay to a port.
   *
   * @return the port it listens on
   */
  int to(String host, int port) throws IOException {
    ServerSocket socket = listen();
    accept(socket, new InetSocketAddress(host, port));
    return socket.getLocalPort();
  }

  /**
   * Opens a relay to a server that does not listen yet.
   *
   * @return the port of both
   */
  int toServerOfSamePort() throws IOException {
    ServerSocket socket = listen();
    accept(socket, new InetSocketAddress(SERVERS, socket.getLocalPort()));
    return socket.getLocalPort();
  }

  /** Lets a port refuse connections, as that of a server that is gone. */
  void remove(int port) {
    ServerSocket socket = listening.remove(port);
    if (socket != null) {
      close(socket);
    }
  }

  void cut() {
    synchronized (lock) {
      cut = true;
    }
  }

  void repair() {
    synchronized (lock) {
      cut = false;
      lock.notifyAll();
    }
  }

  /** Whether a client connects through one of these relays. */
  boolean carry(InetSocketAddress client) {
    return ports.contains(client.getPort());
  }

  private ServerSocket listen() throws IOException {
    ServerSocket socket = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
    listening.put(socket.getLocalPort(), socket);
    return socket;
  }

  private void accept(ServerSocket socket, InetSocketAddress target) {
    run(
        "relay-" + target.getPort(),
        () -> {
          while (true) {
            Socket client;
            try {
              client = socket.accept();
            } catch (IOException closed) {
              return;
            }
            run("relay-" + target.getPort() + "-to", () -> connect(client, target));
          }
        });
  }

  private void connect(Socket client, InetSocketAddress target) {
    awaitConnection();
    Socket server = new Socket();
    try {
      server.connect(target);
      int port = server.getLocalPort();
      ports.add(port);
      client.setTcpNoDelay(true);
      server.setTcpNoDelay(true);
      run("relay-" + target.getPort() + "-from", () -> copy(server, client));
      copy(client, server);
      ports.remove(port);
    } catch (IOException gone) {
      close(server);
      close(client);
    }
  }

  /** Copies until either end is closed, and closes both. */
  private void copy(Socket from, Socket to) {
    byte[] buffer = new byte[BUFFER];
    try {
      for (int n = from.getInputStream().read(buffer); n >= 0; ) {
        awaitConnection();
        to.getOutputStream().write(buffer, 0, n);
        n = from.getInputStream().read(buffer);
      }
      awaitConnection();
    } catch (IOException gone) {
      awaitConnection();
    }
    close(from);
    close(to);
  }

  private void awaitConnection() {
    synchronized (lock) {
      while (cut) {
        try {
          lock.wait();
        } catch (InterruptedException e) {
          throw new IllegalStateException("a relay is never interrupted", e);
        }
      }
    }
  }

  private static void run(String name, Runnable task) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    thread.start();
  }

  private static void close(java.io.Closeable socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
