package org.hourstone.series;

import java.util.List;

/** Columns as text: points as "seconds=value", integers unless they have a dot or are NaN. */
final class Columns {
  private Columns() {}

  static PointColumn of(String points) {
    PointColumn column = new PointColumn();
    for (String point : points.isBlank() ? new String[0] : points.strip().split(" +")) {
      String[] parts = point.split("=");
      long millis = Math.round(Double.parseDouble(parts[0]) * 1000);
      if (parts[1].matches("-?\\d+")) {
        column.addLong(millis, Long.parseLong(parts[1]));
      } else {
        column.addDouble(millis, Double.parseDouble(parts[1]));
      }
    }
    return column;
  }

  static String text(PointColumn column) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < column.size(); i++) {
      long millis = column.millis(i);
      text.append(i == 0 ? "" : " ").append(millis / 1000);
      text.append(millis % 1000 == 0 ? "" : "." + millis % 1000).append('=');
      text.append(column.isInteger(i) ? "" + column.longValue(i) : "" + column.doubleValue(i));
    }
    return text.toString();
  }

  /** What comes of points that go through steps all at once. */
  static PointColumn through(PointColumn points, ColumnStep... steps) {
    return through(points, List.of(steps));
  }

  static PointColumn through(PointColumn points, List<ColumnStep> steps) {
    PointColumn in = points;
    for (ColumnStep step : steps) {
      PointColumn out = new PointColumn();
      step.accept(in, out);
      step.finish(out);
      in = out;
    }
    return in;
  }

  /** The part of a column from one index to another, exclusive. */
  static PointColumn part(PointColumn column, int from, int to) {
    PointColumn part = new PointColumn();
    for (int i = from; i < to; i++) {
      if (column.isInteger(i)) {
        part.addLong(column.millis(i), column.longValue(i));
      } else {
        part.addDouble(column.millis(i), column.doubleValue(i));
      }
    }
    return part;
  }
}
