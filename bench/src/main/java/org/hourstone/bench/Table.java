package org.hourstone.bench;

import java.io.PrintStream;
import java.util.Locale;

/** A table of the page, printed row by row. */
final class Table {
  private final PrintStream out;

  /**
   * @param columns their titles, between bars
   */
  Table(PrintStream out, String columns) {
    this.out = out;
    String[] titles = columns.split("\\|", -1);
    row((Object[]) titles);
    out.println("|" + "---|".repeat(titles.length));
  }

  void row(Object... cells) {
    StringBuilder row = new StringBuilder("|");
    for (Object cell : cells) {
      row.append(' ').append(cell).append(cell.equals("") ? "|" : " |");
    }
    out.println(row);
  }

  /** A figure with this many decimals. */
  static String figure(double value, int decimals) {
    return String.format(Locale.ROOT, "%,." + decimals + "f", value);
  }
}
