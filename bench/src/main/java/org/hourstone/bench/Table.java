package org.hourstone.bench;

import java.io.PrintStream;
import java.util.Locale;

/** A table of the page, printed row by row. */
final class Table {
  private final PrintStream out;

  Table(PrintStream out, String... columns) {
    this.out = out;
    row((Object[]) columns);
    out.println("|" + "---|".repeat(columns.length));
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
