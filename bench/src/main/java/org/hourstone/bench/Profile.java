package org.hourstone.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordingFile;

/**
 * Shows where time and allocation of a recording of Java's flight recorder went: in which methods,
 * by themselves and with all that they called. {@code bench/run --profile} records one.
 */
public final class Profile {
  private static final int LINES = 25;

  /** Samples, or bytes, by method. */
  private static final class Shares {
    private final Map<String, Long> own = new HashMap<>();
    private final Map<String, Long> all = new HashMap<>();
    private long total;

    void add(RecordedEvent event, long weight) {
      if (event.getStackTrace() == null) {
        return;
      }
      total += weight;
      List<RecordedFrame> frames = event.getStackTrace().getFrames();
      Set<String> methods = new HashSet<>();
      for (RecordedFrame frame : frames) {
        if (methods.add(name(frame))) {
          all.merge(name(frame), weight, Long::sum);
        }
      }
      own.merge(name(frames.get(0)), weight, Long::sum);
    }

    private static String name(RecordedFrame frame) {
      String type = frame.getMethod().getType().getName();
      return type.replace("org.hourstone.", "") + "." + frame.getMethod().getName();
    }

    void print(String title, PrintStream out) {
      print(title + ", by itself", own, out);
      print(title + ", with what it called", all, out);
    }

    private void print(String title, Map<String, Long> by, PrintStream out) {
      out.printf("%n| %s | %% |%n|---|---|%n", title);
      by.entrySet().stream()
          .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
          .limit(LINES)
          .forEach(
              each ->
                  out.printf(
                      Locale.ROOT,
                      "| `%s` | %.1f |%n",
                      each.getKey(),
                      100.0 * each.getValue() / total));
    }
  }

  private Profile() {}

  /**
   * @param arguments the file of the recording
   */
  public static void main(String[] arguments) throws IOException {
    print(Path.of(arguments[0]), System.out);
  }

  static void print(Path recording, PrintStream out) throws IOException {
    Shares time = new Shares();
    Shares bytes = new Shares();
    try (RecordingFile file = new RecordingFile(recording)) {
      while (file.hasMoreEvents()) {
        RecordedEvent event = file.readEvent();
        switch (event.getEventType().getName()) {
          case "jdk.ExecutionSample" -> time.add(event, 1);
          case "jdk.ObjectAllocationSample" -> bytes.add(event, event.getLong("weight"));
          default -> {
            // Of no interest.
          }
        }
      }
    }
    time.print("time in Java", out);
    bytes.print("allocated bytes", out);
  }
}
