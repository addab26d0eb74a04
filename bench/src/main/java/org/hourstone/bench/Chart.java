package org.hourstone.bench;

import static java.util.stream.Collectors.joining;

import java.io.PrintStream;
import java.util.List;
import java.util.Locale;

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
    out.printf(Locale.ROOT, "  y-axis \"%s\" 0 --> %.2f%n", unit, most * 1.2);
    out.println(
        "  line ["
            + costs.stream()
                .map(each -> String.format(Locale.ROOT, "%.3f", each))
                .collect(joining(", "))
            + "]");
    out.println("```");
  }
}
