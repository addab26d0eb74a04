package org.hourstone.tool;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.hourstone.codec.CellFlaw;
import org.hourstone.codec.DataCell;
import org.hourstone.codec.Qualifier;
import org.hourstone.codec.RowKey;
import org.hourstone.codec.RowPoints;
import org.hourstone.codec.Timestamps;
import org.hourstone.error.RequestException;
import org.hourstone.kv.Row;
import org.hourstone.uid.NameRules;
import org.hourstone.uid.NoSuchUidException;
import org.hourstone.uid.SeriesName;
import org.jspecify.annotations.Nullable;

/**
 * The points of rows as lines that {@code import} accepts. Series, timestamp, resolution, value and
 * width of decimals are preserved; integers are stored again in their shortest form. Every stored
 * point has a line. Of points that share a timestamp, the one that queries return is last. Series
 * whose names import refuses have no lines. Thread-safe.
 */
public final class ImportLines {
  private final RowKey keys;
  private final RowNames names;
  private final NameRules rules;

  /**
   * A row as lines.
   *
   * @param lines the lines without line ends
   * @param cells the cells whose points are all in the lines, ascending
   * @param omitted the other cells
   */
  public record Lines(List<String> lines, List<Integer> cells, List<Omission> omitted) {}

  /**
   * A cell for which some or all points have no line.
   *
   * @param cell its index in the row
   * @param corrupt whether it is a corrupt cell of points; otherwise it is of another kind
   * @param reason the reason
   */
  public record Omission(int cell, boolean corrupt, String reason) {}

  private record Line(int offset, long writeTime, int order, String text) {}

  /** By time; of points that share a timestamp, the one that readers use is last. */
  private static final Comparator<Line> ORDER =
      Comparator.comparingInt(Line::offset)
          .thenComparingLong(Line::writeTime)
          .thenComparing(Comparator.comparingInt(Line::order).reversed());

  /**
   * @param rules the rules for names of the importing database
   */
  public ImportLines(RowKey keys, RowNames names, NameRules rules) {
    this.keys = keys;
    this.names = names;
    this.rules = rules;
  }

  /** The lines of a row. */
  public Lines of(Row row) {
    if (names.isGlobal(row.key())) {
      return nothing(row, false, "a row of global annotations");
    }
    if (!keys.isSeriesRow(row.key())) {
      return nothing(row, true, "not a series' row: odd length");
    }
    SeriesName series;
    try {
      series = names.series(row.key());
    } catch (NoSuchUidException e) {
      return nothing(row, true, e.getMessage());
    }
    String tags = tags(series);
    if (series.metric().indexOf(' ') >= 0 || tags == null) {
      return nothing(row, true, "a name with a blank or = in it");
    }
    try {
      rules.checkSeries(series.metric(), series.sortedTags());
    } catch (RequestException e) {
      return nothing(row, true, "import would refuse it: " + e.getMessage());
    }
    return lines(row, series.metric(), tags);
  }

  private static Lines nothing(Row row, boolean corrupt, String reason) {
    List<Omission> omitted = new ArrayList<>();
    for (int i = 0; i < row.size(); i++) {
      omitted.add(new Omission(i, corrupt, reason));
    }
    return new Lines(List.of(), List.of(), omitted);
  }

  private static @Nullable String tags(SeriesName series) {
    StringBuilder text = new StringBuilder();
    for (Map.Entry<String, String> tag : series.sortedTags().entrySet()) {
      if ((tag.getKey() + tag.getValue()).matches(".*[ =].*")) {
        return null;
      }
      text.append(' ').append(tag.getKey()).append('=').append(tag.getValue());
    }
    return text.toString();
  }

  private Lines lines(Row row, String metric, String tags) {
    List<Line> lines = new ArrayList<>();
    List<Integer> cells = new ArrayList<>();
    List<Omission> omitted = new ArrayList<>();
    long base = keys.baseTime(row.key());
    for (int i = 0; i < row.size(); i++) {
      DataCell cell = DataCell.of(row.qualifier(i), row.value(i));
      String reason = reasonToOmit(cell);
      if (reason != null) {
        omitted.add(new Omission(i, cell.holdsPoints(), reason));
        continue;
      }
      RowPoints points = cell.pointsInOrder();
      for (int k = 0; k < points.size() && reason == null; k++) {
        String time = time(base, points, k);
        String value = value(points, k);
        if (time == null || value == null) {
          reason =
              time == null ? "a time that no line can represent" : "a value that is not finite";
        } else {
          String text = metric + ' ' + time + ' ' + value + tags;
          lines.add(new Line(points.offset(k), row.writeTime(i), lines.size(), text));
        }
      }
      if (reason == null) {
        cells.add(i);
      } else {
        omitted.add(new Omission(i, true, reason));
      }
    }
    lines.sort(ORDER);
    return new Lines(lines.stream().map(Line::text).toList(), cells, omitted);
  }

  private static @Nullable String reasonToOmit(DataCell cell) {
    if (!cell.holdsPoints()) {
      return cell.kind().name().toLowerCase(Locale.ROOT);
    }
    for (CellFlaw flaw : cell.flaws()) {
      switch (flaw.kind()) {
        case BAD_VALUE, BAD_COMPACT, BAD_APPEND -> {
          return flaw.text();
        }
        default -> {}
      }
    }
    return null;
  }

  private static @Nullable String time(long base, RowPoints points, int i) {
    long millis = base * 1000 + points.offset(i);
    if (points.isMillis(i)) {
      return Timestamps.isMillis(millis) ? Long.toString(millis) : null;
    }
    long seconds = millis / 1000;
    return seconds > 0 && seconds <= Timestamps.MAX_SECONDS ? Long.toString(seconds) : null;
  }

  /**
   * The value as text. A decimal in 8 bytes that would fit in 4 gets the suffix d, from which
   * import knows the width.
   */
  private static @Nullable String value(RowPoints points, int i) {
    if (!points.isFloat(i)) {
      return Long.toString(points.raw(i));
    }
    double value = points.toDouble(i);
    if (!Double.isFinite(value)) {
      return null;
    }
    boolean wide = Qualifier.valueLength(points.flags(i)) == Double.BYTES;
    return Double.toString(value) + (wide && (float) value == value ? "d" : "");
  }
}
