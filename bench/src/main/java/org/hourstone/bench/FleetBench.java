package org.hourstone.bench;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Instant;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * What a series costs: many series with few points each, to VictoriaMetrics and to our daemon in
 * turn. The points are of the hours before the current one, so that nothing waits for the time to
 * pass.
 */
final class FleetBench {
  static final Map<String, String> DEFAULTS =
      Map.of(
          "series", "1000,50000,200000",
          "step", "60", // seconds between points of a series
          "points", "20", // of each series in an hour
          "hours", "2",
          "heap", "", // of the daemon, such as 1g; empty for its default
          "daemon", "./hourstone",
          "peer", "victoria-metrics",
          "set", "", // a setting of the daemon, key=value
          "dir", "");

  private static final int HOUR = 3600;
  private static final int MAX_REPLY = 1000;
  private static final int PATIENCE_MILLIS = 120_000;

  private final Fleet fleet;
  private final int step;
  private final int points;
  private final int hours;
  private final long start;

  private FleetBench(Fleet fleet, Arguments arguments, long start) {
    this.fleet = fleet;
    this.step = arguments.number("step");
    this.points = arguments.number("points");
    this.hours = arguments.number("hours");
    this.start = start;
  }

  /**
   * CPU time of the whole process, in seconds, in each phase.
   *
   * @param created the first point of each series
   * @param known later points within an hour
   * @param across the first point of known series in a next hour
   * @param replaced the first point of series that take the place of others
   */
  private record Cost(
      double created, double known, double across, double replaced, long memory, double disk) {
    double all() {
      return created + known + across + replaced;
    }
  }

  static void run(Arguments arguments, PrintStream out) throws IOException {
    if (arguments.number("points") * arguments.number("step") > HOUR) {
      throw new UsageException("points and step: " + arguments + " need more than an hour");
    }
    if (arguments.number("hours") < 2) {
      throw new UsageException("hours: at least 2, for the points of a next hour");
    }
    long now = Instant.now().getEpochSecond();
    long start = now - now % HOUR - (long) HOUR * arguments.number("hours");
    out.println(
        "| series | first point, CPU us | later, within an hour | first in a next hour"
            + " | first of a replaced series | all, CPU s | most memory, MiB"
            + " | disk, B a point |");
    out.println("|---|---|---|---|---|---|---|---|");
    for (String series : arguments.list("series")) {
      FleetBench bench = new FleetBench(new Fleet(Integer.parseInt(series)), arguments, start);
      bench.print(bench.measurePeer(arguments), bench.measureOurs(arguments), out);
    }
  }

  private Cost measurePeer(Arguments arguments) throws IOException {
    try (WorkDirectory work = WorkDirectory.create(arguments.text("dir"));
        Peer peer = VictoriaMetrics.start(arguments.text("peer"), work.path())) {
      return cost(peer);
    }
  }

  private Cost measureOurs(Arguments arguments) throws IOException {
    String heap = arguments.text("heap");
    String command =
        (heap.isEmpty() ? "" : "env HOURSTONE_OPTS=-Xmx" + heap + " ") + arguments.text("daemon");
    try (WorkDirectory work = WorkDirectory.create(arguments.text("dir"));
        Peer ours = HourstoneDaemon.start(command, arguments.text("set"), work.path())) {
      return cost(ours);
    }
  }

  private Cost cost(Peer server) throws IOException {
    double created = 0;
    double known = 0;
    double across = 0;
    double replaced = 0;
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.telnetPort())) {
      socket.setSoTimeout(PATIENCE_MILLIS);
      OutputStream out = new BufferedOutputStream(socket.getOutputStream(), 1 << 16);
      double last = server.cpu();
      long sent = 0;
      for (int hour = 0; hour < hours; hour++) {
        long begin = start + (long) HOUR * hour;
        int before = Math.max(0, hour - 1); // hosts are replaced after the first point of an hour
        fleet.write(out, before, begin);
        sent += fleet.series();
        double first = await(server, out, sent);
        if (hour == 0) {
          created += first - last;
        } else {
          across += first - last;
          fleet.writeReplaced(out, hour, begin + 1);
          sent += fleet.replaced(hour);
          double second = await(server, out, sent);
          replaced += second - first;
          first = second;
        }
        for (int point = 1; point < points; point++) {
          fleet.write(out, hour, begin + (long) point * step);
          sent += fleet.series();
        }
        last = await(server, out, sent);
        known += last - first;
      }
      socket.shutdownOutput();
      byte[] reply = socket.getInputStream().readNBytes(MAX_REPLY);
      if (reply.length > 0) {
        throw new IOException(server + " replied " + new String(reply, US_ASCII));
      }
      double disk = 1.0 * server.diskBytes() / sent;
      return new Cost(created, known, across, replaced, server.peakMemory(), disk);
    }
  }

  /** Waits until the points are stored; returns the CPU time so far. */
  private static double await(Peer server, OutputStream out, long points) throws IOException {
    out.flush();
    server.awaitStored(points);
    return server.cpu();
  }

  private void print(Cost peer, Cost ours, PrintStream out) {
    double created = fleet.series();
    double across = created * (hours - 1);
    double known = created * (points - 1) * hours;
    int replaced = 0;
    for (int hour = 1; hour < hours; hour++) {
      replaced += fleet.replaced(hour);
    }
    double renewed = replaced;
    out.printf("| %,d |", fleet.series());
    cell(out, peer, ours, cost -> cost.created() / created * 1e6);
    cell(out, peer, ours, cost -> cost.known() / known * 1e6);
    cell(out, peer, ours, cost -> cost.across() / across * 1e6);
    cell(out, peer, ours, cost -> cost.replaced() / renewed * 1e6);
    cell(out, peer, ours, Cost::all);
    cell(out, peer, ours, cost -> cost.memory() >> 20);
    cell(out, peer, ours, Cost::disk);
    out.println();
  }

  private static void cell(PrintStream out, Cost peer, Cost ours, ToDoubleFunction<Cost> figure) {
    double theirs = figure.applyAsDouble(peer);
    double own = figure.applyAsDouble(ours);
    out.printf(" %.1f / %.1f = %.2f |", own, theirs, own / theirs);
  }
}
