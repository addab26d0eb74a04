package org.hourstone.junit;

import static java.util.stream.Collectors.joining;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A table of expected and actual points, of which long equal stretches are left out. */
final class SideBySide {
  private static final String NONE = "-";

  /** Of equal rows before and after one that differs. */
  private static final int CONTEXT = 2;

  private static final int MOST_ROWS = 60;

  private record Row(String time, String expected, String actual, String note) {
    boolean differs() {
      return !note.isEmpty();
    }

    static final Row TITLE = new Row("time", "expected", "actual", "");
  }

  private final List<Row> rows = new ArrayList<>();

  /**
   * Adds a row.
   *
   * @param expected null if no point is expected
   * @param actual null if there is none
   */
  void add(
      String time,
      @Nullable ComparedValue expected,
      @Nullable ComparedValue actual,
      BigDecimal tolerance) {
    String note;
    if (expected == null) {
      note = "unexpected";
    } else if (actual == null) {
      note = "missing";
    } else {
      note = expected.isNear(actual, tolerance) ? "" : "differs";
    }
    rows.add(
        new Row(
            time.isEmpty() ? NONE : time,
            expected == null ? NONE : expected.text(),
            actual == null ? NONE : actual.text(),
            note));
  }

  long differences() {
    return rows.stream().filter(Row::differs).count();
  }

  /** The expected points, a line each, for tools that compare texts. */
  String expected() {
    return lines(Row::expected);
  }

  /** The actual points, a line each. */
  String actual() {
    return lines(Row::actual);
  }

  private String lines(Function<Row, String> value) {
    return rows.stream()
        .filter(row -> !value.apply(row).equals(NONE))
        .map(row -> row.time() + " " + value.apply(row))
        .collect(joining("\n"));
  }

  /** The table, each line after a line feed. */
  String text() {
    int times = width(Row::time);
    int values = width(Row::expected);
    int actuals = width(Row::actual);
    String format = "\n  %-" + times + "s  %" + values + "s  %" + actuals + "s  %s";
    StringBuilder text = new StringBuilder(line(format, Row.TITLE));
    int shown = 0;
    int left = 0;
    for (int i = 0; i < rows.size(); i++) {
      if (!isNearDifference(i)) {
        left++;
        continue;
      }
      if (shown == MOST_ROWS) {
        return text + "\n  … " + (rows.size() - i) + " more";
      }
      if (left > 0) {
        text.append("\n  … ").append(left).append(" equal");
        left = 0;
      }
      text.append(line(format, rows.get(i)));
      shown++;
    }
    return left == 0 ? text.toString() : text + "\n  … " + left + " equal";
  }

  private static String line(String format, Row row) {
    return format.formatted(row.time(), row.expected(), row.actual(), row.note()).stripTrailing();
  }

  private boolean isNearDifference(int i) {
    return IntStream.rangeClosed(Math.max(0, i - CONTEXT), Math.min(rows.size() - 1, i + CONTEXT))
        .anyMatch(near -> rows.get(near).differs());
  }

  private int width(Function<Row, String> value) {
    return IntStream.concat(
            rows.stream().mapToInt(row -> value.apply(row).length()),
            IntStream.of(value.apply(Row.TITLE).length()))
        .max()
        .orElse(0);
  }
}
