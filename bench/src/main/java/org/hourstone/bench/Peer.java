package org.hourstone.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A server on loopback, in a process of its own, that takes points as OpenTSDB does. */
abstract sealed class Peer implements AutoCloseable permits HourstoneDaemon, VictoriaMetrics {
  private static final long PATIENCE_SECONDS = 120;
  private static final int POLL_MILLIS = 20;

  /** How often a server is asked how many points it has, which costs it CPU time. */
  private static final int COUNT_MILLIS = 100;

  private static final int QUIET_MILLIS = 2_000;
  private static final double QUIET_CPU_SECONDS = 0.1;
  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * The figures of a response on which two servers must agree.
   *
   * @param values how many there are
   * @param sum of all of them
   */
  record PeerAnswer(long values, double sum) {
    boolean agreesWith(PeerAnswer other) {
      return values == other.values
          && Math.abs(sum - other.sum) <= 1e-9 * Math.max(1, Math.abs(sum));
    }
  }

  private final Process process;
  private final int port;
  private final Path data;

  /**
   * @param port for queries, and for all else that has no port of its own
   * @param data where its data is
   */
  Peer(Process process, int port, Path data) {
    this.process = process;
    this.port = port;
    this.data = data;
  }

  /** Starts a process whose output is dropped or kept in a file. */
  static Process start(List<String> command, Path log) throws IOException {
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(log.toFile())
        .start();
  }

  static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /** The port for lines of telnet. */
  int telnetPort() {
    return port;
  }

  /** The port for bodies of {@code /api/put}. */
  int putPort() {
    return port;
  }

  /** The port for queries. */
  final int queryPort() {
    return port;
  }

  /** The number of points stored so far. */
  abstract long stored() throws IOException;

  /** The request for a question about a workload of this many seconds. */
  abstract byte[] request(PeerQuestion question, int seconds);

  /** Every number of an answer to a question, added up. */
  abstract PeerAnswer sum(JsonNode answer);

  /** Waits until all points are stored. */
  final void awaitStored(long points) throws IOException {
    await(() -> stored() >= points, COUNT_MILLIS);
    if (stored() != points) {
      throw new IOException(this + " has stored " + stored() + " of " + points + " points");
    }
  }

  /** Does what the server does with its files in the long run, as far as it can be asked to. */
  abstract void merge() throws IOException;

  /** Waits until it has done its work in the background: it takes next to no CPU time. */
  final void settle() throws IOException {
    merge();
    double before;
    do {
      before = cpu();
      pause(QUIET_MILLIS);
    } while (cpu() - before > QUIET_CPU_SECONDS);
  }

  /** Waits until it listens on all of these ports; ends it if it does not. */
  final void awaitPorts(int... ports) throws IOException {
    try {
      for (int port : ports) {
        await(() -> listens(port), POLL_MILLIS);
      }
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  private static boolean listens(int port) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  /** A condition that is polled. */
  private interface Condition {
    boolean holds() throws IOException;
  }

  private void await(Condition condition, int pauseMillis) throws IOException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (!condition.holds()) {
      if (System.nanoTime() > end || !process.isAlive()) {
        throw new IOException(this + (process.isAlive() ? " does not get ready" : " has ended"));
      }
      pause(pauseMillis);
    }
  }

  private static void pause(int millis) throws IOException {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  /** The body of the response to a request for a page. */
  final byte[] get(String path) throws IOException {
    try (HttpConnection connection = new HttpConnection(queryPort())) {
      return connection.ask(HttpConnection.get(path));
    }
  }

  static JsonNode json(byte[] text) throws IOException {
    return JSON.readTree(text);
  }

  /** CPU time of the whole process so far, in seconds. */
  final double cpu() {
    return Meter.cpu(process.toHandle());
  }

  /** The most memory it has had so far, in bytes. */
  final long peakMemory() throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/" + process.pid() + "/status"))) {
      if (line.startsWith("VmHWM:")) {
        return Long.parseLong(line.replaceAll("[^0-9]", "")) << 10;
      }
    }
    throw new IOException("no memory of process " + process.pid());
  }

  /** Bytes of its files. */
  final long diskBytes() throws IOException {
    try (Stream<Path> files = Files.walk(data)) {
      return files
          .filter(file -> !file.toString().endsWith(".so"))
          .mapToLong(Peer::sizeIfPresent)
          .sum();
    }
  }

  private static long sizeIfPresent(Path file) {
    try {
      return Files.isRegularFile(file) ? Files.size(file) : 0;
    } catch (IOException e) {
      return 0; // replaced just now by the server
    }
  }

  /** Ends the process at once, as {@code kill -9} does. */
  final void kill() {
    process.destroyForcibly().onExit().join();
  }

  /** Ends the process. */
  @Override
  public final void close() throws IOException {
    process.destroy();
    try {
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
