package org.hourstone.bench;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.hourstone.bench.Arguments.UsageException;

/**
 * The size of a point in the table files of RocksDB, those of names, index and settings included:
 * coded and not, after {@code import} and after {@code compact}; and in all files of
 * VictoriaMetrics, unless the name of that program is empty. Sizes hardly vary, so each is measured
 * once.
 */
final class SizeBench {
  static final Map<String, String> DEFAULTS =
      Arguments.defaults(
          "hosts=100 hours=24 data=int,dec,nab daemon=./hourstone peer=victoria-metrics dir="
              + " nab=tsd/src/main/resources/org/hourstone/tsd/demo/nab.import.gz");

  private final Arguments arguments;
  private final String peer;
  private final WorkDirectory work;

  /** Of import lines. */
  private final Path lines;

  private SizeBench(Arguments arguments, WorkDirectory work) {
    this.arguments = arguments;
    this.peer = arguments.text("peer");
    this.work = work;
    this.lines = work.path().resolve("lines");
  }

  static void run(Arguments arguments, PrintStream out) throws IOException {
    try (WorkDirectory work = WorkDirectory.create(arguments.text("dir"))) {
      SizeBench bench = new SizeBench(arguments, work);
      Table table = new Table(out, "bytes per point|closed|compact");
      for (String name : arguments.list("data")) {
        String title =
            switch (name) {
              case "int" -> "W1, whole numbers";
              case "dec" -> "W1, two decimals";
              case "nab" -> "NAB's data";
              default -> throw new UsageException("data '" + name + "': must be int, dec or nab");
            };
        bench.print(title, name.equals("nab") ? bench.nab() : bench.workload(name), table);
      }
    }
  }

  private long workload(String kind) throws IOException {
    DevopsWorkload workload = DevopsWorkload.of(arguments, kind);
    workload.writeTo(lines);
    return workload.points();
  }

  /** Returns how many points are left of lines of which the last of a series and time counts. */
  private long nab() throws IOException {
    try (InputStream in =
        new GZIPInputStream(Files.newInputStream(Path.of(arguments.text("nab"))))) {
      Files.write(lines, in.readAllBytes());
    }
    try (Stream<String> all = Files.lines(lines)) {
      return all.map(line -> line.split(" ", 4))
          .map(words -> words[1] + ' ' + words[0] + ' ' + words[3])
          .distinct()
          .count();
    }
  }

  private void print(String title, long points, Table table) throws IOException {
    row(title + ", " + points + " points, coded", points, "", table);
    row("not coded", points, "?coded=false", table);
    if (!peer.isEmpty()) {
      table.row("VictoriaMetrics, merged", "", Table.figure((double) peerBytes() / points, 2));
    }
  }

  private void row(String name, long points, String uriParameters, Table table) throws IOException {
    try (RocksDbPlace place = new RocksDbPlace(work.inner("store"), uriParameters)) {
      command(place, "import", lines.toString());
      double closed = place.tableBytes();
      command(place, "compact");
      table.row(
          name,
          Table.figure(closed / points, 2),
          Table.figure((double) place.tableBytes() / points, 2));
    }
  }

  private void command(RocksDbPlace place, String... words) throws IOException {
    List<String> command = new ArrayList<>(List.of(arguments.text("daemon").split(" ")));
    command.addAll(List.of("--store", place.uri()));
    command.addAll(List.of(words));
    Path log = place.directory().path().resolve("log");
    if (Peer.start(command, log).onExit().join().exitValue() != 0) {
      throw new IOException(String.join(" ", command) + ": " + Files.readString(log));
    }
  }

  /** Of all files in its folder of data, once those of points are merged. */
  private long peerBytes() throws IOException {
    long count;
    try (Stream<String> all = Files.lines(lines)) {
      count = all.count();
    }
    try (WorkDirectory directory = work.inner("peer");
        VictoriaMetrics server = VictoriaMetrics.start(peer, directory.path())) {
      for (Path part : PeerInput.TELNET.write(lines, count, directory.path())) {
        PeerInput.TELNET.send(part, server);
      }
      server.awaitStored(count);
      server.flush();
      server.settle();
      return server.diskBytes();
    }
  }
}
