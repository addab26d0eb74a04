package org.hourstone.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

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

  private record Round(Cost peer, Cost ours) {
    double ratio(ToDoubleFunction<Cost> figure) {
      return figure.applyAsDouble(ours) / figure.applyAsDouble(peer);
    }
  }

  private final int runs;
  private final double seconds;
  private final int rounds;
  private final Map<PeerQuestion, List<Round>> measured = new EnumMap<>(PeerQuestion.class);

  /**
   * @param runs how often a question is asked before it is measured, or
   * @param seconds how much CPU time the server spends on it, whichever comes first: on a busy
   *     machine the clock does not show what a virtual machine has compiled
   */
  WarmQuestions(int runs, double seconds, int rounds) {
    this.runs = runs;
    this.seconds = seconds;
    this.rounds = rounds;
  }

  void measure(Peer peer, Peer ours, int workloadSeconds) throws IOException {
    peer.settle();
    ours.settle();
    for (PeerQuestion question : PeerQuestion.values()) {
      byte[] ofPeer = peer.request(question, workloadSeconds);
      byte[] ofOurs = ours.request(question, workloadSeconds);
      warmUp(peer, ofPeer);
      warmUp(ours, ofOurs);
      List<Round> all = measured.computeIfAbsent(question, q -> new ArrayList<>());
      for (int i = 0; i < rounds; i++) {
        all.add(new Round(ask(peer, ofPeer), ask(ours, ofOurs)));
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
    double[] millis = new double[64];
    int count = 0;
    try (HttpConnection connection = new HttpConnection(server.queryPort())) {
      double cpu = server.cpu();
      long begun = System.nanoTime();
      for (long now = begun; now - begun < ROUND_SECONDS * 1e9; ) {
        connection.ask(request);
        long end = System.nanoTime();
        millis = count == millis.length ? Arrays.copyOf(millis, 2 * count) : millis;
        millis[count++] = (end - now) / 1e6;
        now = end;
      }
      return new Cost(
          Spread.of(Arrays.copyOf(millis, count)).median(), (server.cpu() - cpu) * 1000 / count);
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
    out.println(
        "| | VictoriaMetrics, ms | Hourstone, ms | ratio | VictoriaMetrics, CPU ms |"
            + " Hourstone, CPU ms | ratio |");
    out.println("|---|---|---|---|---|---|---|");
    measured.forEach(
        (question, all) ->
            out.printf(
                "| %s | %s | %s |%n",
                question.title(), figures(all, Cost::millis), figures(all, Cost::cpu)));
    out.println();
  }

  private static String figures(List<Round> all, ToDoubleFunction<Cost> figure) {
    return Spread.of(all, round -> figure.applyAsDouble(round.peer())).text(2)
        + " | "
        + Spread.of(all, round -> figure.applyAsDouble(round.ours())).text(2)
        + " | "
        + Spread.of(all, round -> round.ratio(figure)).text(2);
  }
}
