package org.hourstone.bench;

import static java.util.stream.Collectors.joining;

import java.io.PrintStream;
import java.util.List;

/** A picture for Markdown, below a table. */
final class Chart {
  private Chart() {}

  /**
   * Prints lines.
   *
   * @param x what is counted, and how many there were
   * @param y the unit of the figures
   * @param lines the figures of each line, in the order of the counts
   */
  static void lines(
      String title,
      String x,
      List<String> counts,
      String y,
      List<List<Double>> lines,
      PrintStream out) {
    print(title, '"' + x + "\" [" + String.join(", ", counts) + "]", y, "line", lines, out);
  }

  /** Prints bars with a name each. */
  static void bars(
      String title, List<String> names, String y, List<Double> figures, PrintStream out) {
    print(title, "[" + String.join(", ", names) + "]", y, "bar", List.of(figures), out);
  }

  private static void print(
      String title, String x, String y, String kind, List<List<Double>> all, PrintStream out) {
    double most = all.stream().flatMap(List::stream).mapToDouble(each -> each).max().orElse(1);
    out.println();
    out.println("```mermaid");
    out.println("xychart-beta");
    out.println("  title \"" + title + "\"");
    out.println("  x-axis " + x);
    out.println("  y-axis \"" + y + "\" 0 --> " + Digits.three(most * 1.2));
    for (List<Double> figures : all) {
      String text = figures.stream().map(Digits::three).collect(joining(", "));
      out.println("  " + kind + " [" + text + "]");
    }
    out.println("```");
  }
}
