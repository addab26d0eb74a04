package org.hourstone.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.hourstone.Tsdb;

/**
 * Attacks a daemon that has a small heap with connections that are idle, slow, never read or send
 * too much, and with heavy queries; at the same time puts a point and asks for it over and over,
 * which must be quick, and counts the points in the end.
 */
final class DaemonAttackBench {
  static final Map<String, String> DEFAULTS =
      Map.of(
          "seconds", "120",
          "idle", "10000", // connections
          "slow", "500",
          "queries", "100", // at once
          "series", "100000",
          "daemon", "env HOURSTONE_OPTS=-Xmx256m ./hourstone",
          "dir", "");

  private static final long START = 1_600_000_000;
  private static final int WARM_UP = 50;
  private static final long MOST_MILLIS = 1000;

  private final HourstoneDaemon daemon;
  private final Map<String, LongAdder> outcomes = new ConcurrentHashMap<>();
  private final AtomicInteger turn = new AtomicInteger();
  private volatile boolean over;

  private DaemonAttackBench(HourstoneDaemon daemon) {
    this.daemon = daemon;
  }

  static void run(Arguments arguments, PrintStream out) throws Exception {
    try (WorkDirectory work = WorkDirectory.create(arguments.text("dir"))) {
      Attacks attacks;
      try (Tsdb db = Tsdb.open("rocksdb:" + work.path().resolve("data"))) {
        attacks = Attacks.prepare(db, arguments.number("series"));
      }
      try (HourstoneDaemon daemon =
          HourstoneDaemon.start(arguments.text("daemon"), "", work.path())) {
        new DaemonAttackBench(daemon).run(attacks, arguments, out);
      }
    }
  }

  private void run(Attacks attacks, Arguments arguments, PrintStream out) throws Exception {
    ExecutorService threads = Executors.newCachedThreadPool();
    List<Long> millis;
    for (int i = 0; i < WARM_UP; i++) {
      millis(i);
    }
    try (HostileConnections hostile = new HostileConnections(daemon.queryPort())) {
      hostile.idle(arguments.number("idle"));
      hostile.halfSent(100);
      hostile.deaf(20);
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < arguments.number("queries"); i++) {
        running.add(threads.submit(() -> ask(attacks)));
      }
      running.add(threads.submit(() -> repeat("a line of 1 GB", hostile::longLine)));
      running.add(threads.submit(() -> repeat("1 GB in gzip", hostile::gzipBomb)));
      running.add(threads.submit(() -> repeat("deep JSON", hostile::deepJson)));
      Future<Integer> slow =
          threads.submit(() -> hostile.slow(arguments.number("slow"), () -> over));
      millis = putAndAskAlongside(arguments.number("seconds"));
      over = true;
      count("slow bodies: closed", slow.get());
      threads.shutdownNow(); // queries may take long
      for (Future<?> each : running) {
        each.get();
      }
    } finally {
      over = true;
      threads.shutdownNow();
    }
    new TreeMap<>(outcomes).forEach((name, count) -> out.println(name + ": " + count));
    report(millis, out);
  }

  private void report(List<Long> millis, PrintStream out) throws IOException {
    int puts = millis.size();
    int found = Peer.json(daemon.get(asked(WARM_UP + puts))).get(0).get("dps").size() - WARM_UP;
    long longest = Collections.max(millis);
    int longestAt = millis.indexOf(longest) + 1;
    millis.sort(null);
    out.printf(
        Locale.ROOT,
        "%d points put and asked for: median %d ms, 99 %% within %d ms, longest %d ms (the %d.); %d found;"
            + " most memory of the process %d MiB%n",
        puts,
        millis.get(puts / 2),
        millis.get(puts * 99 / 100),
        longest,
        longestAt,
        found,
        daemon.peakMemory() >> 20);
    if (longest > MOST_MILLIS || found != puts) {
      throw new IllegalStateException("the daemon did not withstand the attack");
    }
  }

  /** Sends heavy queries and reads the responses, until it is over. */
  private void ask(Attacks attacks) {
    HttpClient http = HttpClient.newHttpClient();
    while (!over) {
      Attacks.Attack attack = attacks.at(turn.getAndIncrement());
      URI uri = URI.create("http://127.0.0.1:" + daemon.queryPort() + attack.uri());
      HttpRequest request =
          HttpRequest.newBuilder(uri)
              .method(attack.method(), HttpRequest.BodyPublishers.ofString(attack.body()))
              .build();
      String outcome;
      try {
        outcome = "" + http.send(request, BodyHandlers.discarding()).statusCode();
      } catch (IOException e) {
        outcome = "broken off";
      } catch (InterruptedException e) {
        return;
      }
      count(attack.name() + ": " + outcome, 1);
    }
  }

  private void repeat(String name, Callable<String> attack) {
    while (!over) {
      String outcome;
      try {
        outcome = attack.call();
      } catch (IOException e) {
        outcome = "closed";
      } catch (Exception e) {
        throw new IllegalStateException(name, e);
      }
      count(name + ": " + outcome, 1);
    }
  }

  private void count(String what, int times) {
    outcomes.computeIfAbsent(what, n -> new LongAdder()).add(times);
  }

  /** How long each point took until it was put and found, in milliseconds. */
  private List<Long> putAndAskAlongside(int seconds) throws IOException, InterruptedException {
    List<Long> millis = new ArrayList<>();
    long begun = System.nanoTime();
    while (System.nanoTime() - begun < seconds * 1_000_000_000L) {
      millis.add(millis(WARM_UP + millis.size()));
      Thread.sleep(50);
    }
    return millis;
  }

  /** Puts a point and asks for all of them. */
  private long millis(int point) throws IOException {
    long asked = System.nanoTime();
    daemon.put(
        "{\"metric\":\"small\",\"timestamp\":"
            + (START + point)
            + ",\"value\":1,\"tags\":{\"host\":\"a\"}}");
    daemon.get(asked(point + 1));
    return (System.nanoTime() - asked) / 1_000_000;
  }

  private static String asked(int points) {
    return "/api/query?start=" + START + "&end=" + (START + points) + "&m=sum:small";
  }
}
