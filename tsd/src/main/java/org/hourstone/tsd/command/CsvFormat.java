package org.hourstone.tsd.command;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.hourstone.error.RequestException;
import org.hourstone.tsd.session.CommandException;
import org.hourstone.tsd.view.CsvView;
import org.jspecify.annotations.Nullable;

/**
 * Converts the lines of a CSV file to import lines. The first line names the columns. A record is
 * one line; fields with a comma are in double quotes. For one file and one thread.
 */
final class CsvFormat implements UnaryOperator<String> {
  private static final List<String> TIMES = List.of("timestamp", "time", "date");

  private final String file;
  private final Columns columns;
  private final Consumer<String> firstLine;
  private long lines;
  private long headerLine;
  private @Nullable String first;
  private @Nullable List<String> header;
  private int metric = -1;
  private int time = -1;
  private int value = -1;
  private final Map<Integer, String> tags = new LinkedHashMap<>();
  private final String fixed;

  /**
   * The meaning of the columns; null or empty for the default.
   *
   * @param metric the metric of all lines, instead of a column
   * @param metricColumn by default metric
   * @param timeColumn by default timestamp, time or date
   * @param valueColumn by default value
   * @param tagColumns by default all other columns
   * @param tags the tags of all lines, as key=value
   */
  record Columns(
      @Nullable String metric,
      @Nullable String metricColumn,
      @Nullable String timeColumn,
      @Nullable String valueColumn,
      List<String> tagColumns,
      List<String> tags) {
    boolean isDefault() {
      return equals(new Columns(null, null, null, null, List.of(), List.of()));
    }
  }

  /**
   * @param file its name, for messages
   * @param firstLine receives the line that names the columns
   */
  CsvFormat(String file, Columns columns, Consumer<String> firstLine) {
    this.firstLine = firstLine;
    this.file = file;
    this.columns = columns;
    this.fixed = columns.tags().isEmpty() ? "" : " " + String.join(" ", columns.tags());
  }

  /** The number of the line that names the columns; 0 before it is read. */
  long headerLine() {
    return headerLine;
  }

  @Override
  public String apply(String line) {
    lines++;
    // A record has at least two columns; the first line is repeated where files are concatenated.
    boolean comment = line.startsWith("#") && (header == null || line.indexOf(',') < 0);
    if (line.isBlank() || comment || line.equals(first)) {
      return "";
    }
    List<String> fields = fields(line);
    if (header == null) {
      try {
        read(fields);
      } catch (RequestException e) {
        throw new CommandException(file + ": " + e.getMessage(), e);
      }
      first = line;
      headerLine = lines;
      firstLine.accept(line);
      return "";
    }
    if (fields.size() != header.size()) {
      throw new RequestException(
          "has " + fields.size() + " columns, and the first line has " + header.size());
    }
    StringBuilder point = new StringBuilder();
    point.append(columns.metric() == null ? field(fields, metric) : columns.metric()).append(' ');
    point.append(field(fields, time)).append(' ').append(field(fields, value));
    tags.forEach(
        (column, tag) -> {
          String text = fields.get(column);
          if (!text.isEmpty()) {
            point.append(' ').append(tag.isEmpty() ? text : tag + "=" + field(fields, column));
          }
        });
    return point.append(fixed).toString();
  }

  private void read(List<String> names) {
    Set<String> seen = new HashSet<>();
    for (String name : names) {
      if (!seen.add(name)) {
        throw new RequestException("two columns are named '" + name + "'");
      }
    }
    Set<Integer> used = new HashSet<>();
    metric =
        columns.metric() == null ? column(names, columns.metricColumn(), List.of("metric")) : -1;
    time = column(names, columns.timeColumn(), TIMES);
    value = column(names, columns.valueColumn(), List.of("value"));
    used.addAll(List.of(metric, time, value));
    if (columns.tagColumns().isEmpty()) {
      for (int i = 0; i < names.size(); i++) {
        if (!used.contains(i)) {
          tags.put(i, names.get(i).equals(CsvView.TAGS) ? "" : names.get(i));
        }
      }
    }
    for (String tag : columns.tagColumns()) {
      tags.put(column(names, tag, List.of()), tag);
    }
    header = names;
  }

  private static int column(List<String> names, @Nullable String given, List<String> defaults) {
    for (String name : given == null ? defaults : List.of(given)) {
      if (names.contains(name)) {
        return names.indexOf(name);
      }
    }
    String wanted = given == null ? String.join(" or ", defaults) : given;
    throw new RequestException(
        "no column " + wanted + " in the first line, which has " + String.join(", ", names));
  }

  /**
   * The field of a column, which must be a word of a line. A time may have a space before its
   * hours.
   */
  private String field(List<String> fields, int column) {
    String text = fields.get(column).strip();
    String word = column == time ? text.replace(' ', 'T') : text;
    if (word.isEmpty() || word.indexOf(' ') >= 0) {
      String name = header == null ? "" : header.get(column);
      throw new RequestException(
          "column " + name + (word.isEmpty() ? " is empty" : " has a space: '" + text + "'"));
    }
    return word;
  }

  private static List<String> fields(String line) {
    List<String> fields = new ArrayList<>();
    StringBuilder field = new StringBuilder();
    boolean quoted = false;
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      if (c == '"' && quoted && i + 1 < line.length() && line.charAt(i + 1) == '"') {
        field.append(c);
        i++;
      } else if (c == '"' && (quoted || field.length() == 0)) {
        quoted = !quoted;
      } else if (c == ',' && !quoted) {
        fields.add(field.toString());
        field.setLength(0);
      } else {
        field.append(c);
      }
    }
    if (quoted) {
      throw new RequestException("a quoted field does not end on its line");
    }
    fields.add(field.toString());
    return fields;
  }
}
