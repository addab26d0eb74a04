package org.hourstone.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.hourstone.bench.Peer.PeerAnswer;

/**
 * Sends the same bytes to VictoriaMetrics and to our daemon in turn, each in a process of its own,
 * and prints what they cost and the ratios within a run. Then both are asked the same questions.
 */
final class PeerBench {
  static final Map<String, String> DEFAULTS =
      Arguments.defaults(
          "hosts=100 hours=2 kind=int order=time runs=5 inputs=TELNET,JSON repeat=5"
              + " warm-runs=30000 warm-seconds=20 rounds=5 daemon=./hourstone"
              + " peer=victoria-metrics set= dir=");

  private static final List<PeerQuestion> QUESTIONS = List.of(PeerQuestion.values());

  private final Arguments arguments;
  private final WorkDirectory work;
  private final DevopsWorkload workload;
  private final long points;

  /** Questions are asked of the points of the first input: others store the same. */
  private boolean asks = true;

  private PeerBench(Arguments arguments, WorkDirectory work) {
    this.arguments = arguments;
    this.work = work;
    this.workload = DevopsWorkload.of(arguments);
    this.points = workload.points();
  }

  /**
   * @param warmCpu of the second half of the points: beyond starting and compiling
   */
  private record Cost(
      double cpu, double warmCpu, double seconds, long memory, long disk, List<Double> millis) {}

  static void run(Arguments arguments, PrintStream out) throws IOException {
    try (WorkDirectory work = WorkDirectory.create(arguments.text("dir"))) {
      PeerBench bench = new PeerBench(arguments, work);
      out.printf("%d points%n%n", bench.points);
      Path lines = work.path().resolve("lines");
      bench.workload.writeTo(lines, arguments.text("order").equals("series"), DevopsWorkload.START);
      for (String name : arguments.list("inputs")) {
        bench.measure(PeerInput.valueOf(name), lines, out);
      }
    }
  }

  private void measure(PeerInput input, Path lines, PrintStream out) throws IOException {
    List<Pair<Cost>> pairs = new ArrayList<>();
    WarmQuestions warm = new WarmQuestions(arguments);
    try (WorkDirectory inputs = work.inner("input")) {
      List<Path> halves = input.write(lines, points / 2, inputs.path());
      List<Path> ofPeer =
          input.ofPeer() == input ? halves : input.ofPeer().write(lines, points / 2, inputs.path());
      for (int run = 0; run < arguments.number("runs"); run++) {
        pairs.add(pair(input, ofPeer, halves, warm));
      }
    }
    print(input, pairs, out);
    if (asks && arguments.number("rounds") > 0) {
      warm.print(out);
    }
    asks = false;
  }

  private Pair<Cost> pair(
      PeerInput input, List<Path> peerHalves, List<Path> halves, WarmQuestions warm)
      throws IOException {
    try (WorkDirectory place = work.inner("peer");
        WorkDirectory ourPlace = work.inner("ours");
        VictoriaMetrics peer = VictoriaMetrics.start(arguments.text("peer"), place.path())) {
      List<PeerAnswer> answers = new ArrayList<>();
      Cost cost = cost(peer, input.ofPeer(), peerHalves, answers);
      try (HourstoneDaemon ours =
          HourstoneDaemon.start(arguments.text("daemon"), arguments.text("set"), ourPlace.path())) {
        List<PeerAnswer> ourAnswers = new ArrayList<>();
        Cost ourCost = cost(ours, input, halves, ourAnswers);
        check(answers, ourAnswers);
        if (asks && arguments.number("rounds") > 0) {
          warm.measure(peer, ours, workload.seconds());
        }
        return new Pair<>(cost, ourCost);
      }
    }
  }

  private Cost cost(Peer server, PeerInput input, List<Path> halves, List<PeerAnswer> answers)
      throws IOException {
    double before = server.cpu();
    long start = System.nanoTime();
    input.send(halves.get(0), server);
    server.awaitStored(points / 2);
    double half = server.cpu();
    input.send(halves.get(1), server);
    server.awaitStored(points);
    double took = (System.nanoTime() - start) / 1e9;
    double after = server.cpu();
    long memory = server.peakMemory();
    if (server instanceof VictoriaMetrics peer) {
      peer.flush();
    }
    List<Double> millis = cold(server, answers);
    return new Cost(after - before, after - half, took, memory, server.diskBytes(), millis);
  }

  /** Asks each question, which leaves an answer, and returns the medians of the times. */
  private List<Double> cold(Peer server, List<PeerAnswer> answers) throws IOException {
    List<Double> millis = new ArrayList<>();
    int repeat = asks ? arguments.number("repeat") : 0;
    try (HttpConnection connection = new HttpConnection(server.queryPort())) {
      for (PeerQuestion question : repeat == 0 ? List.<PeerQuestion>of() : QUESTIONS) {
        byte[] request = server.request(question, workload.seconds());
        double[] times = new double[repeat];
        for (int i = 0; i < repeat; i++) {
          long asked = System.nanoTime();
          byte[] answer = connection.ask(request);
          times[i] = (System.nanoTime() - asked) / 1e6;
          if (i == 0) {
            answers.add(server.sum(Peer.json(answer)));
          }
        }
        millis.add(Spread.of(times).median());
      }
    }
    return millis;
  }

  private static void check(List<PeerAnswer> theirs, List<PeerAnswer> ours) {
    for (int i = 0; i < theirs.size(); i++) {
      if (!theirs.get(i).agreesWith(ours.get(i))) {
        throw new IllegalStateException(
            QUESTIONS.get(i) + ": " + theirs.get(i) + ", but ours " + ours.get(i));
      }
    }
  }

  private void print(PeerInput input, List<Pair<Cost>> pairs, PrintStream out) {
    double millions = points / 1e6;
    out.printf("%s, one connection, all points counted; median (min–max):%n%n", input);
    String sent = input.ofPeer() == input ? "" : ", by " + input.ofPeer();
    Table table = new Table(out, "|VictoriaMetrics" + sent + "|Hourstone|ratio within a run");
    table.row("CPU s per million points", Pair.cells(pairs, cost -> cost.cpu() / millions, 2));
    table.row("the same, second half", Pair.cells(pairs, cost -> cost.warmCpu() / millions * 2, 2));
    Spread speed = Spread.of(pairs, pair -> pair.ratio(cost -> 1 / cost.seconds()));
    table.row("points/s", "", "", speed.text(2));
    table.row("most memory, MiB", Pair.cells(pairs, cost -> cost.memory() >> 20, 0));
    table.row(
        "bytes on disk per point, not settled",
        Pair.cells(pairs, cost -> 1.0 * cost.disk() / points, 2));
    for (int i = 0; i < pairs.get(0).peer().millis().size(); i++) {
      int question = i;
      String title = QUESTIONS.get(i).title();
      table.row(title + ", cold, ms", Pair.cells(pairs, cost -> cost.millis().get(question), 1));
    }
    if (asks && arguments.number("repeat") > 0) {
      out.printf(
          "%nBoth answered each question with the same number of values and the same sum.%n");
    }
    out.println();
  }
}
