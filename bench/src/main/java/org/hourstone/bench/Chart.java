package org.hourstone.bench;

import static java.util.stream.Collectors.joining;

import java.io.PrintStream;
import java.util.List;
import java.util.Locale;

/** A picture for Markdown of costs per series: a level line is a cost in proportion to these. */
final class Chart {
  private Chart() {}

  /**
   * Prints one.
   *
   * @param counts how many series there were
   * @param micros the CPU microseconds for each of them
   */
  static void print(String title, List<String> counts, List<Double> micros, PrintStream out) {
    double most = micros.stream().mapToDouble(each -> each).max().orElse(1);
    out.println();
    out.println("```mermaid");
    out.println("xychart-beta");
    out.println("  title \"" + title + "\"");
    out.println("  x-axis \"series\" [" + String.join(", ", counts) + "]");
    out.printf(Locale.ROOT, "  y-axis \"CPU µs a series\" 0 --> %.2f%n", most * 1.2);
    out.println(
        "  line ["
            + micros.stream()
                .map(each -> String.format(Locale.ROOT, "%.3f", each))
                .collect(joining(", "))
            + "]");
    out.println("```");
  }
}
