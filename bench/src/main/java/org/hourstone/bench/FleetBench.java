package org.hourstone.bench;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.hourstone.bench.Arguments.UsageException;

/**
 * What a series costs: many series with few points each, to VictoriaMetrics and to our daemon in
 * turn. The points are of the hours before the current one, so that nothing waits for the time to
 * pass. Then each is killed and started again.
 */
final class FleetBench {
  static final Map<String, String> DEFAULTS =
      Arguments.defaults(
          "series=1000,50000,200000 points=20 hours=2 heap= daemon=./hourstone"
              + " peer=victoria-metrics set= dir=");

  private static final int HOUR = 3600;

  private final WorkDirectory work;
  private final DevopsWorkload workload;
  private final Path lines;
  private final int series;
  private final int points;
  private final int hours;

  private FleetBench(int series, Arguments arguments, WorkDirectory work) throws IOException {
    this.work = work;
    this.points = arguments.number("points");
    this.hours = arguments.number("hours");
    int hosts = series / DevopsWorkload.METRICS.size();
    this.workload = new DevopsWorkload(hosts, hours * HOUR, HOUR / points, false);
    this.series = workload.series();
    this.lines = work.path().resolve("lines");
    long now = Instant.now().getEpochSecond();
    workload.writeTo(lines, false, now - now % HOUR - (long) HOUR * hours);
  }

  /**
   * The cost of all points.
   *
   * @param created CPU seconds of the whole process for the first point of each series
   * @param known for later points within an hour
   * @param across for the first point in each next hour
   * @param started by the next process, after a kill, until it listens
   */
  private record Cost(
      double created, double known, double across, double memory, double disk, double started) {
    double all() {
      return created + known + across;
    }
  }

  /** Starts a server over a directory. */
  private interface Start {
    Peer over(WorkDirectory directory) throws IOException;
  }

  static void run(Arguments arguments, PrintStream out) throws IOException {
    if (arguments.number("hours") < 2) {
      throw new UsageException("hours: at least 2, for the points of a next hour");
    }
    String heap = arguments.text("heap");
    String daemon =
        (heap.isEmpty() ? "" : "env HOURSTONE_OPTS=-Xmx" + heap + " ") + arguments.text("daemon");
    Table table =
        new Table(
            out,
            "series|first point, CPU us|later, within an hour|first in a next hour|"
                + "all, CPU s|most memory, MiB|disk, B a point|start after `kill -9`, CPU s");
    for (String series : arguments.list("series")) {
      try (WorkDirectory work = WorkDirectory.create(arguments.text("dir"))) {
        FleetBench bench = new FleetBench(Integer.parseInt(series), arguments, work);
        bench.print(
            new Pair<>(
                bench.cost(at -> VictoriaMetrics.start(arguments.text("peer"), at.path())),
                bench.cost(at -> HourstoneDaemon.start(daemon, arguments.text("set"), at.path()))),
            table);
      }
    }
  }

  private Cost cost(Start start) throws IOException {
    try (WorkDirectory directory = work.inner("server")) {
      Cost cost;
      try (Peer server = start.over(directory)) {
        cost = cost(server);
        server.kill();
      }
      try (Peer again = start.over(directory)) {
        return new Cost(cost.created, cost.known, cost.across, cost.memory, cost.disk, again.cpu());
      }
    }
  }

  private Cost cost(Peer server) throws IOException {
    double created = 0;
    double known = 0;
    double across = 0;
    try (BufferedReader in = Files.newBufferedReader(lines, US_ASCII);
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.telnetPort());
        OutputStream out = new BufferedOutputStream(socket.getOutputStream(), 1 << 16)) {
      double last = server.cpu();
      for (int hour = 0; hour < hours; hour++) {
        long sent = (long) hour * points * series;
        double first = send(in, series, out, server, sent);
        created += hour == 0 ? first - last : 0;
        across += hour == 0 ? 0 : first - last;
        last = send(in, (points - 1) * series, out, server, sent + series);
        known += last - first;
      }
    }
    double disk = 1.0 * server.diskBytes() / workload.points();
    return new Cost(created, known, across, (double) server.peakMemory(), disk, 0);
  }

  /** Sends points, waits until they are stored, and returns the CPU time so far. */
  private static double send(
      BufferedReader lines, int count, OutputStream out, Peer server, long before)
      throws IOException {
    for (int i = 0; i < count; i++) {
      out.write(("put " + lines.readLine() + "\n").getBytes(US_ASCII));
    }
    out.flush();
    server.awaitStored(before + count);
    return server.cpu();
  }

  private void print(Pair<Cost> pair, Table table) {
    double later = (double) series * (points - 1) * hours;
    table.row(
        Table.figure(series, 0),
        cell(pair, cost -> cost.created / series * 1e6),
        cell(pair, cost -> cost.known / later * 1e6),
        cell(pair, cost -> cost.across / series / (hours - 1) * 1e6),
        cell(pair, Cost::all),
        cell(pair, cost -> cost.memory / (1 << 20)),
        cell(pair, Cost::disk),
        cell(pair, Cost::started));
  }

  private static String cell(Pair<Cost> pair, ToDoubleFunction<Cost> figure) {
    return "%.1f / %.1f = %.2f"
        .formatted(
            figure.applyAsDouble(pair.ours()),
            figure.applyAsDouble(pair.peer()),
            pair.ratio(figure));
  }
}
