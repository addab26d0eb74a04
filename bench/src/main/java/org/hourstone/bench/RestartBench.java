package org.hourstone.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * How long a database takes to open after {@code kill -9}, with many points stored and a journal at
 * its bound. Processes of their own fill the store and open it.
 */
final class RestartBench {
  static final Map<String, String> DEFAULTS =
      Map.of(
          "stored", "1000", // series with points of a day each
          "series", "45000", // in the head, with points of an hour until the journal has
          "journal", "33000000", // bytes
          "rounds", "5",
          "dir", "");

  private static final String HEAP = "-Xmx1g";

  private RestartBench() {}

  /** The seconds that opening took. */
  private record Opened(double seconds, double cpu, double callerCpu, double withJava) {}

  static void run(Arguments arguments, PrintStream out) throws IOException {
    try (WorkDirectory work = WorkDirectory.create(arguments.text("dir"))) {
      Path store = work.path().resolve("store");
      List<String> fill = arguments.words("restart-fill", "uri", "rocksdb:" + store);
      try (Child child = Child.start(HEAP, fill.toArray(String[]::new))) {
        out.println(child.line());
      }
      List<Opened> opened = new ArrayList<>();
      for (int i = 0; i < arguments.number("rounds"); i++) {
        Path copy = work.path().resolve("copy" + i);
        copy(store, copy);
        opened.add(open("rocksdb:" + copy));
      }
      print(opened, out);
    }
  }

  private static Opened open(String uri) throws IOException {
    try (Child child = Child.start(HEAP, "restart-open", "--uri", uri)) {
      String[] words = child.line().split(" ");
      return new Opened(
          Double.parseDouble(words[0]),
          Double.parseDouble(words[1]),
          Double.parseDouble(words[2]),
          child.seconds());
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
}
