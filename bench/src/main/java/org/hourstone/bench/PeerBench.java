package org.hourstone.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * Sends the same bytes to VictoriaMetrics and to our daemon in turn, each in a process of its own,
 * and prints what they cost and the ratios within a run. Then both are asked the same questions.
 */
final class PeerBench {
  static final Map<String, String> DEFAULTS =
      Map.ofEntries(
          Map.entry("hosts", "100"), // of the workload W1
          Map.entry("hours", "2"),
          Map.entry("kind", "int"), // or dec: two decimals
          Map.entry("order", "time"), // of the points; or series, shuffled within each hour
          Map.entry("runs", "5"), // in turn
          Map.entry("inputs", "TELNET,JSON"),
          Map.entry("repeat", "5"), // of each question, just after storing; 0 asks none
          Map.entry("warm-runs", "30000"), // of each question before it is measured warm, or
          Map.entry("warm-seconds", "20"), // so much CPU time of its server
          Map.entry("rounds", "5"), // of each question, warm; 0 asks none
          Map.entry("daemon", "./hourstone"),
          Map.entry("peer", "victoria-metrics"),
          Map.entry("set", ""), // a setting of the daemon, key=value
          Map.entry("dir", ""));

  private PeerBench() {}

  /**
   * @param warmCpu of the second half of the points: beyond starting and compiling
   */
  private record Cost(
      double cpu, double warmCpu, double seconds, long memory, long disk, List<Double> millis) {}

  private record Pair(Cost peer, Cost ours) {
    double ratio(ToDoubleFunction<Cost> figure) {
      return figure.applyAsDouble(ours) / figure.applyAsDouble(peer);
    }
  }

  static void run(Arguments arguments, PrintStream out) throws IOException {
    DevopsWorkload workload = DevopsWorkload.of(arguments);
    try (WorkDirectory work = WorkDirectory.create(arguments.text("dir"))) {
      out.printf("%d points%n%n", workload.points());
      Path lines = work.path().resolve("lines");
      workload.writeTo(lines, PointOrder.of(arguments.text("order")), DevopsWorkload.START);
      for (String name : arguments.text("inputs").split(",")) {
        PeerInput input = PeerInput.valueOf(name);
        List<Path> halves = input.write(lines, workload.points() / 2, work.path());
        List<Path> peerHalves =
            input.ofPeer() == input
                ? halves
                : input.ofPeer().write(lines, workload.points() / 2, work.path());
        List<Pair> pairs = new ArrayList<>();
        WarmQuestions warm =
            new WarmQuestions(
                arguments.number("warm-runs"),
                arguments.decimal("warm-seconds"),
                arguments.number("rounds"));
        for (int run = 0; run < arguments.number("runs"); run++) {
          pairs.add(pair(input, peerHalves, halves, workload, arguments, work, warm));
        }
        for (Path half : Set.copyOf(Stream.concat(halves.stream(), peerHalves.stream()).toList())) {
          Files.delete(half);
        }
        print(input, pairs, workload.points(), out);
        if (arguments.number("rounds") > 0) {
          warm.print(out);
        }
      }
    }
  }

  private static Pair pair(
      PeerInput input,
      List<Path> peerHalves,
      List<Path> halves,
      DevopsWorkload workload,
      Arguments arguments,
      WorkDirectory work,
      WarmQuestions warm)
      throws IOException {
    try (WorkDirectory place = work.inner("peer");
        VictoriaMetrics peer = VictoriaMetrics.start(arguments.text("peer"), place.path())) {
      List<PeerAnswer> answers = new ArrayList<>();
      Cost cost = cost(peer, input.ofPeer(), peerHalves, workload, arguments, answers);
      List<PeerAnswer> ourAnswers = new ArrayList<>();
      try (WorkDirectory ourPlace = work.inner("ours");
          HourstoneDaemon ours =
              HourstoneDaemon.start(
                  arguments.text("daemon"), arguments.text("set"), ourPlace.path())) {
        Cost ourCost = cost(ours, input, halves, workload, arguments, ourAnswers);
        check(answers, ourAnswers);
        if (arguments.number("rounds") > 0) {
          warm.measure(peer, ours, workload.seconds());
        }
        return new Pair(cost, ourCost);
      }
    }
  }

  private static Cost cost(
      Peer server,
      PeerInput input,
      List<Path> halves,
      DevopsWorkload workload,
      Arguments arguments,
      List<PeerAnswer> answers)
      throws IOException {
    double before = server.cpu();
    long start = System.nanoTime();
    input.send(halves.get(0), server);
    server.awaitStored(workload.points() / 2);
    double half = server.cpu();
    input.send(halves.get(1), server);
    server.awaitStored(workload.points());
    double took = (System.nanoTime() - start) / 1e9;
    double after = server.cpu();
    long memory = server.peakMemory();
    if (server instanceof VictoriaMetrics peer) {
      peer.flush();
    }
    int repeat = arguments.number("repeat");
    List<Double> millis = cold(server, workload.seconds(), repeat, answers);
    return new Cost(after - before, after - half, took, memory, server.diskBytes(), millis);
  }

  private static List<Double> cold(Peer server, int seconds, int repeat, List<PeerAnswer> answers)
      throws IOException {
    List<Double> millis = new ArrayList<>();
    try (HttpConnection connection = new HttpConnection(server.queryPort())) {
      for (PeerQuestion question : PeerQuestion.values()) {
        byte[] request = server.request(question, seconds);
        double[] times = new double[repeat];
        for (int i = 0; i < repeat; i++) {
          long asked = System.nanoTime();
          byte[] answer = connection.ask(request);
          times[i] = (System.nanoTime() - asked) / 1e6;
          if (i == 0) {
            answers.add(server.sum(Peer.json(answer)));
          }
        }
        millis.add(repeat == 0 ? 0 : Spread.of(times).median());
      }
    }
    return millis;
  }

  private static void check(List<PeerAnswer> theirs, List<PeerAnswer> ours) {
    for (int i = 0; i < theirs.size(); i++) {
      if (!theirs.get(i).agreesWith(ours.get(i))) {
        throw new IllegalStateException(
            List.of(PeerQuestion.values()).get(i)
                + ": "
                + theirs.get(i)
                + ", but ours "
                + ours.get(i));
      }
    }
  }

  private static void print(PeerInput input, List<Pair> pairs, long points, PrintStream out) {
    double millions = points / 1e6;
    out.printf("%s, one connection, all points counted; median (min–max):%n%n", input);
    String sent = input.ofPeer() == input ? "" : ", by " + input.ofPeer();
    out.println("| | VictoriaMetrics" + sent + " | Hourstone | ratio within a run |");
    out.println("|---|---|---|---|");
    row(out, "CPU s per million points", pairs, cost -> cost.cpu() / millions, 2);
    row(out, "the same, second half", pairs, cost -> cost.warmCpu() / millions * 2, 2);
    out.printf(
        "| points/s | | | %s |%n",
        Spread.of(pairs, pair -> pair.ratio(cost -> 1 / cost.seconds())).text(2));
    row(out, "most memory, MiB", pairs, cost -> cost.memory() >> 20, 0);
    row(out, "bytes on disk per point, not settled", pairs, cost -> 1.0 * cost.disk() / points, 2);
    if (pairs.get(0).peer().millis().get(0) > 0) {
      PeerQuestion[] questions = PeerQuestion.values();
      for (int i = 0; i < questions.length; i++) {
        int question = i;
        row(
            out,
            questions[i].title() + ", cold, ms",
            pairs,
            cost -> cost.millis().get(question),
            1);
      }
      out.println();
      out.println("Both answered each question with the same number of values and the same sum.");
    }
    out.println();
  }

  private static void row(
      PrintStream out, String name, List<Pair> pairs, ToDoubleFunction<Cost> figure, int digits) {
    out.printf(
        "| %s | %s | %s | %s |%n",
        name,
        Spread.of(pairs, pair -> figure.applyAsDouble(pair.peer())).text(digits),
        Spread.of(pairs, pair -> figure.applyAsDouble(pair.ours())).text(digits),
        Spread.of(pairs, pair -> pair.ratio(figure)).text(2));
  }
}
