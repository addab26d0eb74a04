package org.hourstone.tsd;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.TimeZone;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import org.hourstone.query.ResultSeries;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler.ChartTheme;
import org.knowm.xchart.style.Styler.LegendLayout;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** A result as a picture in a PNG file: all series in one plot. XChart draws it. */
final class GraphView implements SeriesView {
  static final int WIDTH = 1024;
  static final int HEIGHT = 576;

  private static final String SUFFIX = ".png";
  private static final int MOST_IN_LEGEND = 20;
  private static final int FEW_POINTS = 50;

  private final TextOutput out;
  private final Path file;
  private final ZoneId zone;
  private final int width;
  private final int height;
  private final List<Line> lines = new ArrayList<>();
  private long points;

  /** A series, with as many points as its part of the picture can show. */
  private record Line(String title, List<Instant> times, List<Double> values) {}

  /**
   * @param base the file's name; the suffix {@code .png} is added unless it has that
   * @param zone of the times
   * @param width in pixels, as the height
   */
  GraphView(TextOutput out, Path base, ZoneId zone, int width, int height) {
    if (base.getFileName() == null) {
      throw new UsageException("--graph " + base + ": is not the name of a file");
    }
    System.setProperty("java.awt.headless", "true"); // a picture needs no display
    this.out = out;
    this.file =
        base.toString().endsWith(SUFFIX) ? base : base.resolveSibling(base.getFileName() + SUFFIX);
    this.zone = zone;
    this.width = width;
    this.height = height;
  }

  @Override
  public void add(ResultSeries series) {
    if (series.size() == 0) {
      return;
    }
    points += series.size();
    Line line = new Line(SeriesTitle.of(series), new ArrayList<>(), new ArrayList<>());
    shown(series, width)
        .forEach(
            i -> {
              double value = series.doubleValue(i);
              line.times().add(Instant.ofEpochMilli(series.millis(i)));
              line.values().add(Double.isFinite(value) ? value : Double.NaN); // a gap
            });
    lines.add(line);
  }

  /** The points that make the picture: of each column the first, least, greatest and last one. */
  static IntStream shown(ResultSeries series, int width) {
    if (series.size() <= 4 * width) {
      return IntStream.range(0, series.size());
    }
    IntStream.Builder shown = IntStream.builder();
    long from = series.millis(0);
    long columnMillis = (series.millis(series.size() - 1) - from) / width + 1;
    int first = 0;
    while (first < series.size()) {
      long column = (series.millis(first) - from) / columnMillis;
      int least = first;
      int greatest = first;
      int next = first;
      for (;
          next < series.size() && (series.millis(next) - from) / columnMillis == column;
          next++) {
        least = series.doubleValue(next) < series.doubleValue(least) ? next : least;
        greatest = series.doubleValue(next) > series.doubleValue(greatest) ? next : greatest;
      }
      IntStream.of(first, least, greatest, next - 1).sorted().distinct().forEach(shown);
      first = next;
    }
    return shown.build();
  }

  @Override
  public void finish() {
    if (lines.isEmpty()) {
      out.line(TableView.NO_POINTS);
      return;
    }
    try (OutputStream picture = Files.newOutputStream(file)) {
      ImageIO.write(BitmapEncoder.getBufferedImage(chart()), "png", picture);
    } catch (IOException e) {
      throw new CommandException(Problem.of("--graph", file, e), e);
    } catch (InternalError | LinkageError e) {
      throw new CommandException(
          "--graph: this Java can't draw text; install fontconfig and a font: " + e, e);
    }
    out.line(
        file
            + ": "
            + Plurals.count(lines.size(), "series", "series")
            + ", "
            + Plurals.count(points, "point"));
  }

  private XYChart chart() {
    Instant from = lines.get(0).times().get(0);
    Instant to = from;
    for (Line line : lines) {
      List<Instant> times = line.times();
      from = times.get(0).isBefore(from) ? times.get(0) : from;
      to = times.get(times.size() - 1).isAfter(to) ? times.get(times.size() - 1) : to;
    }
    XYChart chart =
        new XYChartBuilder()
            .width(width)
            .height(height)
            .theme(ChartTheme.Matlab)
            .xAxisTitle(day(from) + " to " + day(to) + ", " + zone.getId())
            .build();
    chart
        .getStyler()
        .setTimezone(TimeZone.getTimeZone(zone))
        .setPlotMargin(0)
        .setXAxisTickMarkSpacingHint(100);
    chart
        .getStyler()
        .setLegendPosition(LegendPosition.OutsideS)
        .setLegendLayout(LegendLayout.Vertical);
    for (int number = 0; number < lines.size(); number++) {
      Line line = lines.get(number);
      // Named by number, since titles may be the same.
      XYSeries series = chart.addSeries("" + number, line.times(), line.values());
      series.setLabel(line.title());
      series.setShowInLegend(number < MOST_IN_LEGEND);
      series.setMarker(
          line.times().size() <= FEW_POINTS ? SeriesMarkers.CIRCLE : SeriesMarkers.NONE);
    }
    return chart;
  }

  private String day(Instant time) {
    return time.atZone(zone).toLocalDate().toString();
  }
}
