package org.hourstone.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.head.HeadStats;
import org.hourstone.write.SeriesPoints;
import org.hourstone.write.SeriesWriter;

/**
 * How long a database takes to open after {@code kill -9}, with many points stored and a journal at
 * its bound. Processes of their own fill the store and open it; each prints a line, and then waits
 * to be killed.
 */
final class RestartBench {
  static final Map<String, String> DEFAULTS =
      Map.of(
          "hosts", "100", // of the workload W1, which is stored
          "hours", "24",
          "kind", "int",
          "series", "45000", // in the head, with points of an hour until the journal has
          "journal", "33000000", // bytes
          "rounds", "5",
          "dir", "");

  /** The hour of the points in the journal, which is open at the time of {@link #OPTIONS}. */
  private static final long OPEN_HOUR = DevopsWorkload.START + 365 * 86_400L;

  private static final TsdbOptions OPTIONS =
      TsdbOptions.defaults().withClock(() -> Instant.ofEpochSecond(OPEN_HOUR + 1800));

  private RestartBench() {}

  /** The seconds that opening took. */
  private record Opened(double seconds, double cpu, double callerCpu, double withJava) {}

  static void run(Arguments arguments, PrintStream out) throws IOException {
    try (WorkDirectory work = WorkDirectory.create(arguments.text("dir"))) {
      Path store = work.path().resolve("store");
      Path lines = work.path().resolve("lines");
      DevopsWorkload.of(arguments).writeTo(lines);
      String live = arguments.text("series");
      out.println(lineOf("restart-fill", "" + store, "" + lines, live, arguments.text("journal")));
      List<Opened> opened = new ArrayList<>();
      for (int i = 0; i < arguments.number("rounds"); i++) {
        Path copy = work.path().resolve("copy" + i);
        copy(store, copy);
        long start = System.nanoTime();
        String[] words = lineOf("restart-open", "" + copy).split(" ");
        opened.add(
            new Opened(
                Double.parseDouble(words[0]),
                Double.parseDouble(words[1]),
                Double.parseDouble(words[2]),
                (System.nanoTime() - start) / 1e9));
      }
      print(opened, out);
    }
  }

  /** Runs a part of this bench in a process of its own, and kills it when it has printed a line. */
  private static String lineOf(String... words) throws IOException {
    List<String> command =
        new ArrayList<>(List.of(ProcessHandle.current().info().command().orElse("java")));
    command.addAll(List.of("-Xmx1g", "-XX:+UseSerialGC", "-cp"));
    command.addAll(List.of(System.getProperty("java.class.path"), Commands.class.getName()));
    command.addAll(List.of(words));
    Process process = new ProcessBuilder(command).redirectError(Redirect.INHERIT).start();
    try (BufferedReader printed =
        new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
      String line = printed.readLine();
      if (line == null) {
        throw new IOException(words[0] + " has ended with " + process.onExit().join().exitValue());
      }
      return line;
    } finally {
      process.destroyForcibly().onExit().join();
    }
  }

  private static void print(List<Opened> opened, PrintStream out) {
    out.println();
    out.println("| opening after a kill | s, median (min–max) |");
    out.println("|---|---|");
    row("by the clock", opened, Opened::seconds, out);
    row("by the clock, with the start of Java", opened, Opened::withJava, out);
    row("CPU of the thread that opens", opened, Opened::callerCpu, out);
    row("CPU of the process", opened, Opened::cpu, out);
  }

  private static void row(
      String name, List<Opened> opened, ToDoubleFunction<Opened> figure, PrintStream out) {
    out.printf("| %s | %s |%n", name, Spread.of(opened, figure).text(2));
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      files.forEach(
          file -> {
            try {
              Files.copy(file, to.resolve(from.relativize(file).toString()));
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          });
    }
  }

  /**
   * The process that fills a store: imports points, and then puts points of an open hour until the
   * journal has its size.
   *
   * @param words the store's directory, a file of lines, the number of series, the bytes
   */
  static void fill(String[] words, PrintStream out) throws IOException, InterruptedException {
    Tsdb db = Tsdb.open("rocksdb:" + words[0], OPTIONS);
    FileImport.run(db, Path.of(words[1]));
    List<SeriesWriter> writers = new ArrayList<>();
    for (int i = 0; i < Integer.parseInt(words[2]); i++) {
      writers.add(db.writer().series("live", Map.of("host", "h" + i)));
    }
    Stored stored = new Stored();
    SeriesPoints points = db.writer().seriesPoints(stored);
    long count = 0;
    for (int second = 0;
        second < 3600 && stats(db).journalBytes() < Long.parseLong(words[3]);
        second += DevopsWorkload.STEP_SECONDS) {
      for (SeriesWriter writer : writers) {
        points.add(writer, OPEN_HOUR + second, count++ % 1000, 0);
      }
      points.send();
      stored.await(count);
    }
    printAndWait(count + " points in the journal: " + stats(db), out);
  }

  private static HeadStats stats(Tsdb db) {
    HeadStats stats = db.headStats();
    if (stats == null) {
      throw new IllegalStateException("no head");
    }
    return stats;
  }

  /**
   * The process that opens a store: prints the seconds by the clock, of CPU, and of the caller's.
   *
   * @param words the store's directory
   */
  static void open(String[] words, PrintStream out) throws IOException {
    Meter.Cost cost = Meter.measure(() -> Tsdb.open("rocksdb:" + words[0], OPTIONS));
    printAndWait(cost.seconds() + " " + cost.cpu() + " " + cost.callerCpu(), out);
  }

  private static void printAndWait(String line, PrintStream out) throws IOException {
    out.println(line);
    out.flush();
    int unused = System.in.read();
  }
}
