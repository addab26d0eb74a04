package org.hourstone.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Questions asked of two servers that run at the same time, in turn: each question first until both
 * servers have compiled and cached what they will, then in rounds, each over one connection.
 */
final class WarmQuestions {
  /** The CPU time of a process is known to a hundredth of a second. */
  private static final double ROUND_SECONDS = 1;

  /**
   * The cost of a question.
   *
   * @param millis the median time
   * @param cpu milliseconds of CPU of the server's whole process
   */
  private record Cost(double millis, double cpu) {}

  private final int runs;

  /** CPU time: on a busy machine the clock does not show what a virtual machine has compiled. */
  private final double seconds;

  private final int rounds;
  private final Map<PeerQuestion, List<Pair<Cost>>> measured = new EnumMap<>(PeerQuestion.class);

  WarmQuestions(Arguments arguments) {
    this.runs = arguments.number("warm-runs");
    this.seconds = arguments.decimal("warm-seconds");
    this.rounds = arguments.number("rounds");
  }

  void measure(Peer peer, Peer ours, int workloadSeconds) throws IOException {
    peer.settle();
    ours.settle();
    for (PeerQuestion question : PeerQuestion.values()) {
      byte[] ofPeer = peer.request(question, workloadSeconds);
      byte[] ofOurs = ours.request(question, workloadSeconds);
      warmUp(peer, ofPeer);
      warmUp(ours, ofOurs);
      List<Pair<Cost>> all = measured.computeIfAbsent(question, q -> new ArrayList<>());
      for (int i = 0; i < rounds; i++) {
        all.add(new Pair<>(ask(peer, ofPeer), ask(ours, ofOurs)));
      }
    }
  }

  private void warmUp(Peer server, byte[] request) throws IOException {
    try (HttpConnection connection = new HttpConnection(server.queryPort())) {
      double end = server.cpu() + seconds;
      for (int i = 0; i < runs && server.cpu() < end; i++) {
        connection.ask(request);
      }
    }
  }

  private static Cost ask(Peer server, byte[] request) throws IOException {
    List<Double> millis = new ArrayList<>();
    try (HttpConnection connection = new HttpConnection(server.queryPort())) {
      double cpu = server.cpu();
      long begun = System.nanoTime();
      for (long now = begun; now - begun < ROUND_SECONDS * 1e9; ) {
        connection.ask(request);
        long end = System.nanoTime();
        millis.add((end - now) / 1e6);
        now = end;
      }
      double taken = (server.cpu() - cpu) * 1000 / millis.size();
      return new Cost(Spread.of(millis, Double::doubleValue).median(), taken);
    }
  }

  void print(PrintStream out) {
    out.printf(
        Locale.ROOT,
        "Warm: each asked %d times before, or until it has taken %.0f s of CPU; median (min–max) of"
            + " rounds, each of %.0f s for either server:%n%n",
        runs,
        seconds,
        ROUND_SECONDS);
    Table table =
        new Table(
            out,
            "|VictoriaMetrics, ms|Hourstone, ms|ratio|VictoriaMetrics, CPU ms|"
                + "Hourstone, CPU ms|ratio");
    measured.forEach(
        (question, all) ->
            table.row(
                question.title(), Pair.cells(all, Cost::millis, 2), Pair.cells(all, Cost::cpu, 2)));
    out.println();
  }
}
