package org.hourstone.bench;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

/**
 * The bytes that a point takes on disk in RocksDB, coded and not, after {@code import} and after
 * {@code compact}; and in VictoriaMetrics, if it is installed. They hardly vary, so each is
 * measured once.
 */
final class SizeBench {
  static final Map<String, String> DEFAULTS =
      Map.of(
          "hosts", "100", // of the workload W1
          "hours", "24",
          "data", "int,dec,nab", // W1 as whole numbers, with two decimals; real data
          "nab", "tsd/src/main/resources/org/hourstone/tsd/demo/nab.import.gz",
          "command", "./hourstone",
          "peer", "victoria-metrics",
          "dir", "");

  private final HourstoneCommand command;
  private final WorkDirectory work;

  private SizeBench(HourstoneCommand command, WorkDirectory work) {
    this.command = command;
    this.work = work;
  }

  /** What is imported. */
  private record Data(String title, long points) {}

  /** Bytes of table files. */
  private record Sizes(long closed, long compacted) {}

  static void run(Arguments arguments, PrintStream out) throws IOException {
    out.println(
        "| bytes per point | points | closed | compact | not coded, closed | compact |"
            + " VictoriaMetrics |");
    out.println("|---|---|---|---|---|---|---|");
    try (WorkDirectory work = WorkDirectory.create(arguments.text("dir"))) {
      SizeBench bench = new SizeBench(new HourstoneCommand(arguments.text("command")), work);
      for (String data : arguments.text("data").split(",")) {
        Path lines = work.path().resolve("lines");
        out.println(bench.row(write(data, arguments, lines), lines, arguments.text("peer")));
      }
    }
  }

  /** Writes the data as import lines. */
  private static Data write(String data, Arguments arguments, Path lines) throws IOException {
    if (data.equals("nab")) {
      try (InputStream in =
          new GZIPInputStream(Files.newInputStream(Path.of(arguments.text("nab"))))) {
        Files.write(lines, in.readAllBytes());
      }
      return new Data("NAB's data", distinct(lines));
    }
    boolean decimals = data.equals("dec");
    int seconds = (int) (arguments.decimal("hours") * 3600);
    DevopsWorkload workload = new DevopsWorkload(arguments.number("hosts"), seconds, decimals);
    workload.writeTo(lines);
    return new Data(decimals ? "W1, two decimals" : "W1, whole numbers", workload.points());
  }

  private String row(Data data, Path lines, String peer) throws IOException {
    long points = data.points();
    Sizes coded = sizes(lines, "");
    Sizes plain = sizes(lines, "?coded=false");
    return String.format(
        Locale.ROOT,
        "| %s | %,d | %.2f | %.2f | %.2f | %.2f | %s |",
        data.title(),
        points,
        (double) coded.closed() / points,
        (double) coded.compacted() / points,
        (double) plain.closed() / points,
        (double) plain.compacted() / points,
        isInstalled(peer)
            ? String.format(Locale.ROOT, "%.2f", (double) peerBytes(lines, peer) / points)
            : "not installed");
  }

  /** How many points are left of lines of which the last of a series and time counts. */
  private static long distinct(Path lines) throws IOException {
    try (Stream<String> all = Files.lines(lines)) {
      return all.map(SizeBench::withoutValue).distinct().count();
    }
  }

  private static String withoutValue(String line) {
    String[] words = line.split(" ", 4);
    return words[1] + ' ' + words[0] + ' ' + words[3];
  }

  private Sizes sizes(Path lines, String options) throws IOException {
    try (WorkDirectory directory = work.inner("store")) {
      Path store = directory.path().resolve("data");
      Path log = directory.path().resolve("log");
      Path nothing = Path.of("/dev/null");
      String uri = "rocksdb:" + store + options;
      command.run(uri, List.of("import", "" + lines), nothing, log);
      long closed = tableBytes(store);
      command.run(uri, List.of("compact"), nothing, log);
      return new Sizes(closed, tableBytes(store));
    }
  }

  /** Of all table files: with those of names, index and settings. */
  private static long tableBytes(Path store) throws IOException {
    try (Stream<Path> files = Files.walk(store)) {
      return files
          .filter(file -> file.toString().endsWith(".sst"))
          .mapToLong(file -> file.toFile().length())
          .sum();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private static boolean isInstalled(String program) {
    return program.contains("/")
        ? Files.isExecutable(Path.of(program))
        : Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
            .anyMatch(directory -> Files.isExecutable(Path.of(directory, program)));
  }

  /** Of all files in its folder of data, once those of points are merged. */
  private long peerBytes(Path lines, String program) throws IOException {
    long count;
    try (Stream<String> all = Files.lines(lines)) {
      count = all.count();
    }
    try (WorkDirectory directory = work.inner("peer");
        VictoriaMetrics peer = VictoriaMetrics.start(program, directory.path())) {
      for (Path part : PeerInput.TELNET.write(lines, count, directory.path())) {
        PeerInput.TELNET.send(part, peer);
      }
      peer.awaitStored(count);
      peer.flush();
      peer.settle();
      return peer.diskBytes();
    }
  }
}
