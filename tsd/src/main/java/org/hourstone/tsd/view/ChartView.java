package org.hourstone.tsd.view;

import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.hourstone.query.ResultSeries;
import org.hourstone.tsd.terminal.TextOutput;
import org.jspecify.annotations.Nullable;

/**
 * A result as plots, one below the other. They share the time axis; each has its own scale, from
 * its smallest to its greatest value.
 */
public final class ChartView implements SeriesView {
  private static final int FEW_SERIES = 3;
  private static final int HEIGHT_OF_FEW = 12;
  private static final int HEIGHT_OF_MANY = 4;
  private static final int LEAST_PLOT_WIDTH = 8;
  private static final String AXIS = " ┤";
  private static final String AXIS_BETWEEN = " │";
  private static final long MINUTE_MILLIS = 60_000;

  private final TextOutput out;
  private final ZoneId zone;
  private final int columns;
  private final @Nullable Integer height;
  private final List<ResultSeries> all = new ArrayList<>();

  /**
   * @param zone the zone of the times
   * @param columns the width of the charts, including labels
   * @param height the height of each plot in characters, or null for a height that depends on their
   *     number
   */
  public ChartView(TextOutput out, ZoneId zone, int columns, @Nullable Integer height) {
    this.out = out;
    this.zone = zone;
    this.columns = columns;
    this.height = height;
  }

  @Override
  public void add(ResultSeries series) {
    if (series.size() > 0) {
      all.add(series);
    }
  }

  @Override
  public void finish() {
    if (all.isEmpty()) {
      out.line(TableView.NO_POINTS);
      return;
    }
    long from = Long.MAX_VALUE;
    long to = Long.MIN_VALUE;
    int labels = 0;
    List<ChartScale> scales = new ArrayList<>();
    for (ResultSeries series : all) {
      from = Math.min(from, series.millis(0));
      to = Math.max(to, series.millis(series.size() - 1));
      ChartScale scale = ChartScale.of(series);
      scales.add(scale);
      labels = Math.max(labels, scale.minLabel().length());
      labels = Math.max(labels, scale.maxLabel().length());
    }
    int rows = height != null ? height : all.size() <= FEW_SERIES ? HEIGHT_OF_FEW : HEIGHT_OF_MANY;
    int width = Math.max(LEAST_PLOT_WIDTH, columns - labels - AXIS.length());
    for (int i = 0; i < all.size(); i++) {
      BrailleCanvas canvas = new BrailleCanvas(width, rows);
      draw(all.get(i), scales.get(i), from, to, canvas);
      show(all.get(i), scales.get(i), labels, canvas, rows);
    }
    out.line(" ".repeat(labels) + " └" + "─".repeat(width));
    times(from, to, labels + AXIS.length(), width);
  }

  private static void draw(
      ResultSeries series, ChartScale scale, long from, long to, BrailleCanvas canvas) {
    double dotsPerMilli = to == from ? 0 : (canvas.width() - 1) / (double) (to - from);
    boolean begun = false;
    int lastX = 0;
    int lastY = 0;
    for (int i = 0; i < series.size(); i++) {
      double value = series.doubleValue(i);
      if (!Double.isFinite(value)) {
        begun = false;
        continue;
      }
      int x = (int) Math.round((series.millis(i) - from) * dotsPerMilli);
      int y = (int) Math.round(scale.position(value) * (canvas.height() - 1));
      canvas.line(begun ? lastX : x, begun ? lastY : y, x, y);
      begun = true;
      lastX = x;
      lastY = y;
    }
  }

  private void show(
      ResultSeries series, ChartScale scale, int labels, BrailleCanvas canvas, int rows) {
    out.line(SeriesTitle.of(series));
    for (int row = 0; row < rows; row++) {
      String label = row == 0 ? scale.maxLabel() : row == rows - 1 ? scale.minLabel() : "";
      String axis = label.isEmpty() ? AXIS_BETWEEN : AXIS;
      String line = " ".repeat(labels - label.length()) + label + axis + canvas.row(row);
      out.line(line);
    }
  }

  /** The first timestamp on the left, the last on the right, and the zone in between. */
  private void times(long from, long to, int indent, int width) {
    boolean seconds = to - from < 10 * MINUTE_MILLIS;
    DateTimeFormatter format =
        DateTimeFormatter.ofPattern(
                seconds ? "uuuu-MM-dd HH:mm:ss" : "uuuu-MM-dd HH:mm", Locale.ROOT)
            .withZone(zone);
    String first = format.format(Instant.ofEpochMilli(from));
    String last = format.format(Instant.ofEpochMilli(to));
    int gap = width - first.length() - last.length();
    if (gap < 1) {
      out.line(first + " to"); // in two lines, so that they are not wider than the plots
      out.line(last);
      return;
    }
    String middle = gap < zone.getId().length() + 2 ? "" : zone.getId();
    int before = (gap - middle.length()) / 2;
    String right = " ".repeat(gap - before - middle.length()) + last;
    out.line(" ".repeat(indent) + first + " ".repeat(before) + middle + right);
  }
}
