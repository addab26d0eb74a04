package org.hourstone.tsd;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.Closeable;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.hourstone.DaemonSettings;
import org.hourstone.server.Client;
import org.hourstone.server.TlsFiles;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whatever clients send, a daemon with a small heap serves others all the time, keeps the points
 * that it has acknowledged, and uses no more afterwards than before. {@code attack.clients}, {@code
 * attack.heaps} and other properties attack in other ways, see CONTRIBUTING.md.
 */
class AttackTest {
  private static final int CLIENTS = Integer.getInteger("attack.clients", 100);
  private static final List<String> HEAPS =
      List.of(System.getProperty("attack.heaps", "64").split(","));

  /** How often each honest client must be served during an attack. */
  private static final int ROUNDS = Integer.getInteger("attack.rounds", 3);

  /** The longest that another client may wait; 0 for no limit, as it depends on the machine. */
  private static final long MOST_MILLIS = Long.getLong("attack.millis", 0);

  private static final String KINDS = System.getProperty("attack.kinds", ".*");

  /** Longer than any wait of the daemon; a time at which something is wrong. */
  private static final long SECONDS = Long.getLong("attack.seconds", 300);

  /**
   * The daemon's idle threads end after a minute; their number is bounded, so it is not awaited.
   */
  private static final int HTTP_THREADS = Integer.getInteger("attack.threads", 16);

  private static final int MORE_THREADS = 2 * HTTP_THREADS + 20;
  private static final int MORE_DESCRIPTORS = 40;

  private static final int MOST_LOGGED = 20;
  private static final byte[] FLUSH = "{\"command\":[\"flush\"]}".getBytes(UTF_8);
  private static final int ACCEPTED = 202;

  @TempDir static Path directory;
  private static TlsFiles files;
  private static SSLContext context;
  private static final Map<String, Victim> VICTIMS = new TreeMap<>();

  @BeforeAll
  static void makeCertificate() throws Exception {
    files = new TlsFiles(directory).make("server", "EC");
    context = files.clientOf("server");
  }

  @AfterAll
  static void stop() {
    VICTIMS.values().forEach(Victim::close);
  }

  /** A daemon and its honest clients. */
  private record Victim(
      DaemonProcess daemon, boolean tls, HonestClients honest, Path log, DaemonUsage before)
      implements AutoCloseable {
    static Victim start(String heap, boolean tls, Path directory) throws Exception {
      Path log = directory.resolve("log");
      Map<String, String> settings = new TreeMap<>();
      settings.put(DaemonSettings.HTTP_THREADS.key(), Integer.toString(HTTP_THREADS));
      if (tls) {
        settings.put(DaemonSettings.TLS_CERTIFICATE.key(), path("server.pem"));
        settings.put(DaemonSettings.TLS_KEY.key(), path("server.key"));
      }
      DaemonProcess daemon =
          DaemonProcess.start(
              "rocksdb:" + directory.resolve("data"),
              new DaemonProcess.Launch(
                  heap + "m",
                  Map.of(),
                  DaemonProcess.Launch.settings(settings),
                  ProcessBuilder.Redirect.to(log.toFile())));
      HonestClients honest =
          new HonestClients(() -> connect(daemon, tls), daemon.process()::isAlive);
      try {
        putPoints(daemon, tls);
        honest.beServed(ROUNDS, SECONDS);
        return new Victim(daemon, tls, honest, log, DaemonUsage.of(daemon.process()));
      } catch (Exception e) {
        honest.close();
        daemon.close();
        throw e;
      }
    }

    /** Puts what queries ask for; again if the machine is too busy to do it in time. */
    private static void putPoints(DaemonProcess daemon, boolean tls) throws IOException {
      StringBuilder lines = new StringBuilder();
      for (int i = 0; i < AttackKind.POINTS; i++) {
        lines.append("put %s %d %d h=a\n".formatted(AttackKind.LONG, AttackKind.START + i, i));
      }
      lines.append("version\n");
      long deadline = System.nanoTime() + SECONDS * 1_000_000_000;
      while (true) {
        try (Client client = connect(daemon, tls)) {
          client.send(lines.toString());
          assertThat(client.line()).startsWith("hourstone ");
          return;
        } catch (SocketTimeoutException e) {
          if (System.nanoTime() - deadline > 0) {
            throw e;
          }
        }
      }
    }

    private static String path(String file) {
      return files.directory().resolve(file).toString();
    }

    private static Client connect(DaemonProcess daemon, boolean tls) throws IOException {
      return tls
          ? new Client(
              context
                  .getSocketFactory()
                  .createSocket(daemon.address().getAddress(), daemon.address().getPort()))
          : new Client(daemon.address());
    }

    /** Has it write its open rows, which it holds for some minutes; returns whether it does. */
    boolean flush() {
      try (Client client = connect(daemon, tls)) {
        client.sendRequest("POST", "/api/admin/jobs", "", FLUSH);
        return client.response().status() == ACCEPTED;
      } catch (IOException e) {
        return false; // as after an attack it may be refused
      }
    }

    boolean isAlive() {
      return daemon.process().isAlive();
    }

    String logged() throws IOException {
      return Files.readString(log, UTF_8);
    }

    @Override
    public void close() {
      honest.close();
      daemon.close();
    }
  }

  @TestFactory
  @Timeout(6 * 60 * 60)
  Stream<DynamicTest> othersAreServedAndNothingIsLeft() {
    return HEAPS.stream()
        .flatMap(
            heap ->
                AttackKind.all().stream()
                    .filter(kind -> kind.name().matches(KINDS))
                    .map(
                        kind ->
                            DynamicTest.dynamicTest(
                                kind.name() + ", " + heap + " MB", () -> attack(kind, heap))));
  }

  private static void attack(AttackKind kind, String heap) throws Exception {
    Victim victim = victim(heap, kind.tls());
    int logged = victim.logged().length();
    try {
      attack(kind, heap, victim);
    } catch (Exception | AssertionError e) {
      VICTIMS.values().removeIf(victim::equals); // the next attack is on another
      String said = victim.logged().substring(logged);
      boolean isAlive = victim.isAlive();
      victim.close();
      throw new AssertionError(
          "%s, %s MB: %s; the daemon %s; its log: %s"
              .formatted(
                  kind,
                  heap,
                  e.getMessage(),
                  isAlive ? "serves" : "has ended",
                  said.lines().limit(MOST_LOGGED).toList()),
          e);
    }
  }

  private static void attack(AttackKind kind, String heap, Victim victim) throws Exception {
    int logged = victim.logged().length();
    victim.honest().longestMillis();
    victim.honest().refused();
    String attackers;
    try (Closeable attack = kind.start().begin(victim.daemon().address(), CLIENTS, context)) {
      victim.honest().beServed(ROUNDS, SECONDS);
      attackers = attack.toString();
    }
    long longest = victim.honest().longestMillis();
    String during =
        "%s, %s MB: %s; others waited %d ms at most, %d times refused; "
            .formatted(kind, heap, attackers, longest, victim.honest().refused());

    DaemonUsage after = usageInTheEnd(victim, Long.parseLong(heap) << 18);

    System.out.println(during + "before " + victim.before() + "; after " + after);
    if (MOST_MILLIS > 0) {
      assertThat(longest).as("milliseconds that others waited").isLessThanOrEqualTo(MOST_MILLIS);
    }
    assertThat(victim.isAlive()).as("the daemon is alive").isTrue();
    for (String metric : List.of(HonestClients.HTTP, HonestClients.TELNET)) {
      assertThat(victim.honest().canRead(metric, SECONDS))
          .as("acknowledged points of " + metric)
          .isTrue();
    }
    assertThat(victim.logged().substring(logged).lines().filter(line -> line.startsWith("\tat ")))
        .as("stack traces in the log")
        .isEmpty();
  }

  private static Victim victim(String heap, boolean tls) throws Exception {
    String key = heap + tls;
    @Nullable Victim running = VICTIMS.get(key);
    if (running != null && running.isAlive()) {
      return running;
    }
    VICTIMS.values().forEach(Victim::close); // one at a time
    VICTIMS.clear();
    Victim started = Victim.start(heap, tls, Files.createTempDirectory(directory, "daemon"));
    VICTIMS.put(key, started);
    return started;
  }

  /** Polls until the daemon uses about as much as before, without the rows that are open. */
  private static DaemonUsage usageInTheEnd(Victim victim, long moreHeap) throws Exception {
    long deadline = System.nanoTime() + SECONDS * 1_000_000_000;
    boolean isFlushed = false;
    while (true) {
      isFlushed = isFlushed || victim.flush();
      DaemonUsage now = DaemonUsage.of(victim.daemon().process());
      if (now.isBackTo(victim.before(), moreHeap, MORE_THREADS, MORE_DESCRIPTORS)) {
        return now;
      }
      assertThat(System.nanoTime() < deadline)
          .as("before the attack: %s; after it: %s", victim.before(), now)
          .isTrue();
    }
  }
}
