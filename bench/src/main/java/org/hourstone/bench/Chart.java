package org.hourstone.bench;

import static java.util.stream.Collectors.joining;

import java.io.PrintStream;
import java.util.List;

/** A picture for Markdown of costs per unit: a level line is a cost in proportion to the units. */
final class Chart {
  private Chart() {}

  /**
   * Prints one.
   *
   * @param counted what is counted
   * @param counts how many there were, separated by commas
   * @param unit of the costs
   * @param costs in the order of the counts
   */
  static void print(
      String title,
      String counted,
      String counts,
      String unit,
      List<Double> costs,
      PrintStream out) {
    double most = costs.stream().mapToDouble(each -> each).max().orElse(1);
    out.println();
    out.println("```mermaid");
    out.println("xychart-beta");
    out.println("  title \"" + title + "\"");
    out.println("  x-axis \"" + counted + "\" [" + counts + "]");
    String top = Digits.three(most == 0 ? 1 : most * 1.2); // an axis from 0 to 0 is not drawn
    out.println("  y-axis \"" + unit + "\" 0 --> " + top);
    out.println("  line [" + costs.stream().map(Digits::three).collect(joining(", ")) + "]");
    out.println("```");
  }
}
