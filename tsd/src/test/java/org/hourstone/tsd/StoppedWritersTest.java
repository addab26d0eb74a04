package org.hourstone.tsd;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.stream.IntStream;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.hbase.HBaseProcess;
import org.hourstone.hbase.NeedsHBase;
import org.hourstone.server.Client;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Daemons that have journals on one HBase: what one acknowledged is stored, whether it is killed
 * and started again, is killed and another one takes its journal over, or was only suspended and
 * goes on after that.
 */
@NeedsHBase
@DisabledOnOs(OS.WINDOWS)
class StoppedWritersTest {
  /** Three have each accident once; more on demand. */
  private static final int ROUNDS = Integer.getInteger("writers.rounds", 3);

  private static final int CLIENTS = 3;
  private static final String POINT =
      "{\"metric\":\"m\",\"timestamp\":1400000000,\"value\":1,\"tags\":{\"h\":\"late\"}}";

  @TempDir Path directory;

  private final long seed = Long.getLong("writers.seed", new Random().nextLong());
  private final Random random = new Random(seed);
  private final String store =
      HBaseProcess.sharedUri() + "?prefix=w" + UUID.randomUUID().toString().substring(0, 8) + "_";
  private final ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
  private final List<PutClient> clients =
      IntStream.range(0, CLIENTS).mapToObj(number -> new PutClient(number, seed)).toList();
  private int logs;

  private enum Accident {
    RESTARTED,
    TAKEN_OVER,
    SUSPENDED
  }

  /** A daemon, and the file of what it logs. */
  private record Writer(String name, DaemonProcess daemon, Path log) implements AutoCloseable {
    void awaitInLog(String text) throws IOException {
      while (daemon.process().isAlive() && !Files.readString(log).contains(text)) {
        Thread.onSpinWait();
      }
      assertThat(Files.readString(log)).contains(text);
    }

    /** Ends it as an operator does. */
    void end() throws InterruptedException {
      daemon.process().destroy();
      assertThat(daemon.awaitEnd()).as("exit status of writer %s", name).isZero();
    }

    void signal(String signal) throws Exception {
      String pid = Long.toString(daemon.process().pid());
      Process kill = new ProcessBuilder("kill", "-" + signal, pid).inheritIO().start();
      assertThat(kill.waitFor()).isZero();
    }

    @Override
    public void close() {
      daemon.close();
    }
  }

  private Writer start(String name) throws IOException {
    Map<String, String> settings = new HashMap<>();
    settings.put(Settings.CREATE_TABLES.key(), "true");
    settings.put(Settings.HEAD_WRITER.key(), name);
    settings.put(Settings.HEAD_LEASE.key(), "1");
    settings.put(Settings.FLUSH_INTERVAL.key(), oneOf("1", "2", "30"));
    settings.put("hourstone.write.threads", oneOf("1", "2", "3"));
    if (random.nextBoolean()) {
      settings.put("hourstone.head.bytes", oneOf("1", "2000", "200000"));
    }
    if (random.nextBoolean()) {
      settings.put("hourstone.head.journal_bytes", oneOf("1", "1000", "100000"));
    }
    Path log = directory.resolve(name + logs++);
    DaemonProcess.Launch launch =
        new DaemonProcess.Launch(
            "256m", Map.of(), DaemonProcess.Launch.settings(settings), Redirect.to(log.toFile()));
    return new Writer(name, DaemonProcess.start(store, launch), log);
  }

  private String oneOf(String... values) {
    return values[random.nextInt(values.length)];
  }

  /** Clients put points until that many requests are acknowledged. */
  private List<Future<Void>> put(Writer writer, int requests) throws InterruptedException {
    Semaphore acknowledgements = new Semaphore(0);
    List<Future<Void>> putting = new ArrayList<>();
    for (PutClient client : clients) {
      putting.add(threads.submit(client.putting(writer.daemon().address(), acknowledgements)));
    }
    acknowledgements.acquire(requests);
    return putting;
  }

  private void disconnect(List<Future<Void>> putting) throws Exception {
    for (PutClient client : clients) {
      client.disconnect();
    }
    for (Future<Void> each : putting) {
      each.get();
    }
  }

  @Test
  @Timeout(60 * 60)
  void whatWritersAcknowledgedIsStored() throws Exception {
    try {
      for (int round = 0; round < ROUNDS; round++) {
        Accident accident = Accident.values()[round % Accident.values().length];
        stop(accident);
        String when = "seed " + seed + ", round " + round + ", " + accident;
        try (Tsdb db = Tsdb.open(store)) {
          for (PutClient client : clients) {
            client.check(db, when);
          }
        }
        System.out.println(when);
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(clients).allSatisfy(client -> assertThat(client.acknowledged()).isPositive());
    assertThat(cells("cells", "journal")).isNotEmpty().allMatch(line -> line.contains("-journal"));
    assertThat(cells("cells")).isNotEmpty().noneMatch(line -> line.contains("-journal"));
  }

  /** A dump can be loaded into a store that has no writers. */
  private List<String> cells(String... command) {
    List<String> words = new ArrayList<>(List.of("--store", store));
    words.addAll(List.of(command));
    CommandRun run = CommandRun.now(words.toArray(String[]::new));
    assertThat(run.exitCode()).as(run.err()).isZero();
    return run.outLines();
  }

  /** In the end all writers have ended, so that the tables have all points. */
  private void stop(Accident accident) throws Exception {
    try (Writer stopped = start("a")) {
      List<Future<Void>> putting = put(stopped, 1 + random.nextInt(300));
      stopped.signal(accident == Accident.SUSPENDED ? "STOP" : "KILL");
      disconnect(putting);
      try (Writer next = start(accident == Accident.RESTARTED ? "a" : "b")) {
        if (accident != Accident.RESTARTED) {
          next.awaitInLog("the journal of the writer a was taken over");
        }
        putting = put(next, 1 + random.nextInt(300));
        if (accident == Accident.SUSPENDED) {
          goesOn(stopped);
        }
        disconnect(putting);
        next.end();
      }
    }
  }

  /** What it was doing is done; but it stores nothing more. */
  private static void goesOn(Writer suspended) throws Exception {
    suspended.signal("CONT");
    String put = "/api/put?sync";
    assertThat(Client.request(suspended.daemon().address(), "POST", put, POINT).status())
        .isEqualTo(503);
    assertThat(Client.request(suspended.daemon().address(), "GET", "/readyz", "").status())
        .isEqualTo(503);
    suspended.awaitInLog("another process has taken over the journal of the writer a");
    suspended.end();
  }
}
