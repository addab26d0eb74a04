package org.hourstone.hbase;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * What another process tells this one by its standard input, a line each. Each is answered by a
 * line, {@code ok} or {@code failed} and what there is to say, when it is done. The process ends
 * when the input does, also while a command is carried out.
 *
 * <ul>
 *   <li>{@code zookeeper-port}: where region servers of other processes join
 *   <li>{@code root-directory}: where the data of the cluster is
 *   <li>{@code region-servers}: the names of those in this process
 *   <li>{@code restart-master}: kills it, and waits until another has taken over
 *   <li>{@code restart-region-server N}: stops it, and waits until another is there
 *   <li>{@code expire-region-server N}: ends its ZooKeeper session, upon which it dies, and waits
 *       until another is there
 *   <li>{@code expire-clients}: ends the ZooKeeper sessions of all clients and tells how many
 *   <li>{@code cut}, {@code repair}: the network of all clients
 *   <li>{@code scanners-opened TABLE}: how many, if the table names {@link ScannerLog}
 *   <li>{@code await-scanners-closed TABLE N}: waits until N were closed
 * </ul>
 */
final class Commands {
  private final InputStream in;
  private final PrintStream out;
  private final BlockingQueue<String> given = new LinkedBlockingQueue<>();

  Commands(InputStream in, PrintStream out) {
    this.in = in;
    this.out = out;
  }

  /** Begins to read. */
  void start() {
    Thread reader = new Thread(this::read, "commands");
    reader.setDaemon(true);
    reader.start();
  }

  private void read() {
    int status = 0;
    try {
      BufferedReader lines =
          new BufferedReader(new InputStreamReader(in, StandardCharsets.US_ASCII));
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        given.add(line);
      }
    } catch (IOException gone) {
      status = 1;
    }
    Runtime.getRuntime().halt(status);
  }

  /** Carries out commands, for ever. */
  void serve(LocalServers servers, @Nullable LocalZooKeeper zooKeeper, @Nullable Relays relays)
      throws InterruptedException {
    while (true) {
      String command = given.take();
      String answer;
      try {
        answer = "ok " + run(command.split(" "), servers, zooKeeper, relays);
      } catch (Exception e) {
        answer = "failed " + e.toString().replace('\n', ' ');
      }
      out.println(answer.strip());
    }
  }

  private static String run(
      String[] words,
      LocalServers servers,
      @Nullable LocalZooKeeper zooKeeper,
      @Nullable Relays relays)
      throws Exception {
    switch (words[0]) {
      case "zookeeper-port" -> {
        return Integer.toString(own(zooKeeper).port());
      }
      case "root-directory" -> {
        return servers.rootDirectory();
      }
      case "region-servers" -> {
        return String.join(" ", servers.names());
      }
      case "restart-master" -> servers.restartMaster();
      case "restart-region-server" -> servers.restartRegionServer(Integer.parseInt(words[1]));
      case "expire-region-server" -> {
        int number = Integer.parseInt(words[1]);
        own(zooKeeper).expire(servers.session(number));
        servers.replaceRegionServer(number);
      }
      case "expire-clients" -> {
        return Integer.toString(own(zooKeeper).expire(existing(relays)::carry));
      }
      case "cut" -> existing(relays).cut();
      case "repair" -> existing(relays).repair();
      case "scanners-opened" -> {
        return Integer.toString(ScannerLog.opened(words[1]));
      }
      case "await-scanners-closed" -> ScannerLog.awaitClosed(words[1], Integer.parseInt(words[2]));
      default -> throw new IllegalArgumentException("no such command");
    }
    return "";
  }

  private static LocalZooKeeper own(@Nullable LocalZooKeeper zooKeeper) {
    if (zooKeeper == null) {
      throw new IllegalStateException("ZooKeeper runs in another process");
    }
    return zooKeeper;
  }

  private static Relays existing(@Nullable Relays relays) {
    if (relays == null) {
      throw new IllegalStateException("started without --relayed");
    }
    return relays;
  }
}
