package org.hourstone.bench;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.hourstone.QuerySettings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.api.Api;
import org.hourstone.api.ApiAnswer;
import org.hourstone.api.ApiCall;
import org.hourstone.api.Disconnection;

/**
 * Sends requests that would take all memory or time if nothing limited them, some at once, with a
 * small heap; at the same time repeats a small query, which must be answered quickly.
 */
final class AttackBench {
  static final Map<String, String> DEFAULTS =
      Map.of("seconds", "600", "clients", "20", "series", "100000", "timeout", "10000", "dir", "");

  private static final String SMALL = Attacks.RANGE + "&m=sum:small";
  private static final long MOST_MILLIS = 1000;
  private static final int OK = 200;

  private final Api api;
  private final Disconnection disconnection = new Disconnection();
  private final Map<String, LongAdder> outcomes = new ConcurrentHashMap<>();
  private final AtomicInteger turn = new AtomicInteger();
  private volatile boolean over;

  private AttackBench(Api api) {
    this.api = api;
  }

  static void run(Arguments parsed, PrintStream out) throws Exception {
    TsdbOptions options =
        TsdbOptions.defaults().with(QuerySettings.QUERY_TIMEOUT, parsed.text("timeout"));
    try (WorkDirectory work = WorkDirectory.create(parsed.text("dir"));
        Tsdb db = Tsdb.open("rocksdb:" + work.path().resolve("data"), options)) {
      Attacks attacks = Attacks.prepare(db, parsed.number("series"));
      new AttackBench(new Api(db)).run(attacks, parsed, out);
      if (!db.runningQueries().list().isEmpty() || db.runningQueries().memoryBytes() != 0) {
        throw new IllegalStateException("left over: " + db.runningQueries().list());
      }
      out.println("rows compacted in the background: " + db.compactions().stats());
    }
  }

  private void run(Attacks attacks, Arguments parsed, PrintStream out) throws Exception {
    int clients = parsed.number("clients");
    ExecutorService threads = Executors.newFixedThreadPool(clients);
    List<Long> millis;
    try {
      List<Future<?>> running =
          Collections.nCopies(clients, attacks).stream()
              .<Future<?>>map(each -> threads.submit(() -> attack(each)))
              .toList();
      millis = askAlongside(parsed.number("seconds"));
      over = true;
      disconnection.gone();
      for (Future<?> each : running) {
        each.get();
      }
    } finally {
      threads.shutdownNow();
    }
    new TreeMap<>(outcomes).forEach((name, count) -> out.println(name + ": " + count));
    millis.sort(null);
    long longest = millis.get(millis.size() - 1);
    out.printf(
        Locale.ROOT,
        "%d other queries, median %d ms, 99 %% within %d ms, longest %d ms%n",
        millis.size(),
        millis.get(millis.size() / 2),
        millis.get(millis.size() * 99 / 100),
        longest);
    if (longest > MOST_MILLIS) {
      throw new IllegalStateException("another query took " + longest + " ms");
    }
  }

  /** Attacks until time is over. */
  private void attack(Attacks attacks) {
    while (!over) {
      Attacks.Attack attack = attacks.at(turn.getAndIncrement());
      String outcome;
      try (ApiAnswer answer =
          api.answer(ApiCall.of(attack.method(), attack.uri(), attack.body(), disconnection))) {
        outcome = Integer.toString(answer.status());
        answer.writeTo(OutputStream.nullOutputStream());
      } catch (RuntimeException | IOException e) {
        outcome = "broken off by " + e.getClass().getSimpleName();
      }
      if (!over) { // else it was cancelled
        outcomes.computeIfAbsent(attack.name() + " " + outcome, n -> new LongAdder()).increment();
      }
    }
  }

  /** How long each of the small queries took, in milliseconds. */
  private List<Long> askAlongside(int seconds) throws IOException, InterruptedException {
    List<Long> millis = new ArrayList<>();
    long begun = System.nanoTime();
    while (System.nanoTime() - begun < seconds * 1_000_000_000L) {
      long asked = System.nanoTime();
      try (ApiAnswer answer = api.answer(ApiCall.of("GET", SMALL, ""))) {
        if (answer.status() != OK) {
          throw new IllegalStateException("another query was refused: " + answer.body());
        }
        answer.writeTo(OutputStream.nullOutputStream());
      }
      millis.add((System.nanoTime() - asked) / 1_000_000);
      Thread.sleep(50);
    }
    return millis;
  }
}
