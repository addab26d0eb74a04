package org.hourstone.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.head.HeadStats;
import org.hourstone.write.Receipt;
import org.hourstone.write.SeriesWriter;

/**
 * How long a database takes to open after {@code kill -9}, with many points stored and a journal at
 * its bound. Processes of their own fill the store and open it.
 */
public final class RestartBench {
  private static final Map<String, String> DEFAULTS =
      Map.of("stored", "1000", "series", "20000", "journal", "65000000", "again", "5", "dir", "");

  private static final int STORED_HOURS = 24;

  /** The hour of the points in the journal, which is open at {@link #OPTIONS}' time. */
  private static final long OPEN_HOUR = DevopsWorkload.START + STORED_HOURS * 3600L;

  private static final TsdbOptions OPTIONS =
      TsdbOptions.defaults().withClock(() -> Instant.ofEpochSecond(OPEN_HOUR + 1800));

  private static final int MOST_IN_FLIGHT = 100_000;

  private RestartBench() {}

  /** See {@code docs/performance.md} for the arguments. */
  public static void main(String[] arguments) throws IOException {
    switch (arguments.length == 0 ? "" : arguments[0]) {
      case "fill" ->
          fill(
              arguments[1],
              Integer.parseInt(arguments[2]),
              Integer.parseInt(arguments[3]),
              Long.parseLong(arguments[4]),
              System.out);
      case "open" -> open(arguments[1], System.out);
      default -> run(arguments, System.out);
    }
  }

  static void run(String[] arguments, PrintStream out) throws IOException {
    Arguments parsed = Arguments.parse(arguments, DEFAULTS);
    out.println(Machine.description());
    out.println(parsed);
    out.println();
    try (WorkDirectory work = WorkDirectory.create(parsed.text("dir"))) {
      Path store = work.path().resolve("store");
      Line filled =
          child(
              "fill",
              "rocksdb:" + store,
              parsed.text("stored"),
              parsed.text("series"),
              parsed.text("journal"));
      out.println(filled.text());
      List<Opened> opened = new ArrayList<>();
      for (int i = 0; i < parsed.number("again"); i++) {
        Path copy = work.path().resolve("copy" + i);
        copy(store, copy);
        opened.add(Opened.of(child("open", "rocksdb:" + copy)));
      }
      print(opened, out);
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

  /** The first line of a process, and how many seconds after its start it was written. */
  private record Line(String text, double seconds) {}

  /** The seconds that opening took. */
  private record Opened(double seconds, double cpu, double callerCpu, double withJava) {
    static Opened of(Line line) {
      String[] words = line.text().split(" ");
      return new Opened(
          Double.parseDouble(words[0]),
          Double.parseDouble(words[1]),
          Double.parseDouble(words[2]),
          line.seconds());
    }
  }

  /** Starts this class, and kills it when it has written its line. */
  private static Line child(String... arguments) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                ProcessHandle.current().info().command().orElse("java"),
                "-Xmx1g",
                "-cp",
                System.getProperty("java.class.path"),
                RestartBench.class.getName()));
    command.addAll(List.of(arguments));
    long start = System.nanoTime();
    Process child =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(child.getInputStream(), StandardCharsets.UTF_8))) {
      String line = String.valueOf(lines.readLine());
      return new Line(line, (System.nanoTime() - start) * 1e-9);
    } finally {
      child.destroyForcibly().onExit().join();
    }
  }

  /**
   * @param stored series with points of a day each
   * @param series in the head, with points of an hour until the journal has this size
   */
  private static void fill(String uri, int stored, int series, long journal, PrintStream out)
      throws IOException {
    Tsdb db = Tsdb.open(uri, OPTIONS);
    new FleetRows(stored, STORED_HOURS, 10).writeTo(db);
    List<SeriesWriter> writers = new ArrayList<>();
    for (int i = 0; i < series; i++) {
      writers.add(db.writer().series("live", Map.of("host", "h" + i)));
    }
    Semaphore room = new Semaphore(MOST_IN_FLIGHT);
    Receipt receipt =
        new Receipt() {
          @Override
          public void stored(long token) {
            room.release();
          }

          @Override
          public void failed(long token, RuntimeException reason) {
            throw reason;
          }
        };
    int points = 0;
    for (int second = 0; second < 3600 && stats(db).journalBytes() < journal; second += 10) {
      for (SeriesWriter writer : writers) {
        room.acquireUninterruptibly();
        writer.put(OPEN_HOUR + second, points++ % 1000, receipt, 0);
      }
    }
    room.acquireUninterruptibly(MOST_IN_FLIGHT);
    out.println(points + " points in the journal: " + stats(db));
    System.in.read();
  }

  private static HeadStats stats(Tsdb db) {
    HeadStats stats = db.engine().headStats();
    if (stats == null) {
      throw new IllegalStateException("no head");
    }
    return stats;
  }

  private static void open(String uri, PrintStream out) throws IOException {
    Meter.Cost cost = Meter.measure(() -> Tsdb.open(uri, OPTIONS));
    out.println(cost.seconds() + " " + cost.cpu() + " " + cost.callerCpu());
    out.flush();
    System.in.read();
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
}
