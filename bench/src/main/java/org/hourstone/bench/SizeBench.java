package org.hourstone.bench;

import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The size of a point in the table files of RocksDB, those of names, index and settings included:
 * coded and not, after {@code import} and after {@code compact}; and in all files of
 * VictoriaMetrics, if it is installed. Sizes hardly vary, so each is measured once.
 */
final class SizeBench {
  static final Map<String, String> DEFAULTS =
      Map.of(
          "hosts", "100", // of the workload W1
          "hours", "24",
          "data", "int,dec,nab",
          "nab", "tsd/src/main/resources/org/hourstone/tsd/demo/nab.import.gz",
          "command", "./hourstone",
          "peer", "victoria-metrics",
          "dir", "");

  private final HourstoneCommand command;
  private final String peer;
  private final WorkDirectory work;

  private SizeBench(Arguments arguments, WorkDirectory work) {
    this.command = new HourstoneCommand(arguments.text("command"));
    this.peer = arguments.text("peer");
    this.work = work;
  }

  static void run(Arguments arguments, PrintStream out) throws IOException {
    try (WorkDirectory work = WorkDirectory.create(arguments.text("dir"))) {
      SizeBench bench = new SizeBench(arguments, work);
      out.println("| bytes per point | closed | compact |");
      out.println("|---|---|---|");
      for (String name : arguments.list("data")) {
        bench.print(SizeData.write(name, arguments, work.path().resolve("lines")), out);
      }
    }
  }

  private void print(SizeData data, PrintStream out) throws IOException {
    row(data.title() + ", " + data.points() + " points, coded", data, "", out);
    row("not coded", data, "?coded=false", out);
    if (isInstalled(peer)) {
      double bytes = peerBytes(data);
      out.printf(Locale.ROOT, "| VictoriaMetrics, merged | | %.2f |%n", bytes / data.points());
    }
  }

  private void row(String name, SizeData data, String uriParameters, PrintStream out)
      throws IOException {
    try (WorkDirectory directory = work.inner("store")) {
      Path store = directory.path().resolve("data");
      Path log = directory.path().resolve("log");
      Path nothing = Path.of("/dev/null");
      String uri = "rocksdb:" + store + uriParameters;
      command.run(uri, List.of("import", "" + data.lines()), nothing, log);
      double closed = tableBytes(store);
      command.run(uri, List.of("compact"), nothing, log);
      double points = data.points();
      out.printf(
          Locale.ROOT, "| %s | %.2f | %.2f |%n", name, closed / points, tableBytes(store) / points);
    }
  }

  private static long tableBytes(Path store) throws IOException {
    try (Stream<Path> files = Files.walk(store)) {
      return files
          .filter(file -> file.toString().endsWith(".sst"))
          .mapToLong(file -> file.toFile().length())
          .sum();
    }
  }

  private static boolean isInstalled(String program) {
    return program.contains("/")
        ? Files.isExecutable(Path.of(program))
        : Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
            .anyMatch(directory -> Files.isExecutable(Path.of(directory, program)));
  }

  /** Of all files in its folder of data, once those of points are merged. */
  private long peerBytes(SizeData data) throws IOException {
    long count;
    try (Stream<String> all = Files.lines(data.lines())) {
      count = all.count();
    }
    try (WorkDirectory directory = work.inner("peer");
        VictoriaMetrics server = VictoriaMetrics.start(peer, directory.path())) {
      for (Path part : PeerInput.TELNET.write(data.lines(), count, directory.path())) {
        PeerInput.TELNET.send(part, server);
      }
      server.awaitStored(count);
      server.flush();
      server.settle();
      return server.diskBytes();
    }
  }
}
