package org.hourstone.bench;

import static java.util.stream.Collectors.joining;

import java.io.PrintStream;
import java.util.List;

/** A picture for Markdown. */
final class Chart {
  private Chart() {}

  /**
   * Prints one.
   *
   * @param counted what is counted
   * @param counts how many there were
   * @param unit of the figures
   * @param lines the figures of each line, in the order of the counts
   */
  static void print(
      String title,
      String counted,
      List<String> counts,
      String unit,
      List<List<Double>> lines,
      PrintStream out) {
    double most = lines.stream().flatMap(List::stream).mapToDouble(each -> each).max().orElse(1);
    out.println();
    out.println("```mermaid");
    out.println("xychart-beta");
    out.println("  title \"" + title + "\"");
    out.println("  x-axis \"" + counted + "\" [" + String.join(", ", counts) + "]");
    out.println("  y-axis \"" + unit + "\" 0 --> " + Digits.three(most * 1.2));
    for (List<Double> line : lines) {
      out.println("  line [" + line.stream().map(Digits::three).collect(joining(", ")) + "]");
    }
    out.println("```");
  }
}
