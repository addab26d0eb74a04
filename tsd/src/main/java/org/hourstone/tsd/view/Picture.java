package org.hourstone.tsd.view;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TimeZone;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import org.hourstone.api.request.PlotStyle;
import org.hourstone.api.request.Plotter;
import org.hourstone.query.ResultSeries;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler.ChartTheme;
import org.knowm.xchart.style.Styler.LegendLayout;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** All series in one plot, which XChart draws. */
public final class Picture implements Plotter.Plot {
  private static final String NO_POINTS = "no points";
  private static final int MOST_IN_LEGEND = 20;
  private static final int FEW_POINTS = 50;

  /** A time and a value as objects, and as XChart's copy of them. */
  private static final int BYTES_PER_POINT = 80;

  static {
    System.setProperty("java.awt.headless", "true"); // a picture needs no display
  }

  private final PlotStyle style;
  private final List<Line> lines = new ArrayList<>();

  /** A series, with as many points as its part of the picture can show. */
  private record Line(String title, List<Instant> times, List<Double> values) {}

  public Picture(PlotStyle style) {
    this.style = style;
  }

  @Override
  public long add(ResultSeries series) {
    Line line = new Line(SeriesTitle.of(series), new ArrayList<>(), new ArrayList<>());
    boolean any = false;
    for (int i : shown(series, style.width()).toArray()) {
      double value = series.doubleValue(i);
      boolean drawn = Double.isFinite(value) && (value > 0 || !style.axis().logarithmic());
      line.times().add(Instant.ofEpochMilli(series.millis(i)));
      line.values().add(drawn ? value : Double.NaN); // a gap
      any |= drawn;
    }
    if (any) {
      lines.add(line);
    }
    return (long) BYTES_PER_POINT * line.times().size();
  }

  /**
   * The points that determine the picture: the first, smallest, greatest and last point of each
   * column.
   */
  public static IntStream shown(ResultSeries series, int width) {
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
  public byte[] png() {
    try {
      BufferedImage image = BitmapEncoder.getBufferedImage(chart());
      ByteArrayOutputStream png = new ByteArrayOutputStream();
      ImageIO.write(image, "png", png);
      return png.toByteArray();
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory", e);
    } catch (InternalError | LinkageError e) {
      throw new UnsupportedOperationException(
          "this Java can't draw text; install fontconfig and a font: " + e, e);
    }
  }

  private XYChart chart() {
    XYChart chart =
        new XYChartBuilder()
            .width(style.width())
            .height(style.height())
            .theme(ChartTheme.Matlab)
            .title(style.title())
            .xAxisTitle(lines.isEmpty() ? NO_POINTS : days())
            .yAxisTitle(style.axis().label())
            .build();
    chart
        .getStyler()
        .setTimezone(TimeZone.getTimeZone(style.zone()))
        .setPlotMargin(0)
        .setXAxisTickMarkSpacingHint(100)
        .setAxisTicksVisible(!lines.isEmpty())
        .setYAxisLogarithmic(style.axis().logarithmic() && !lines.isEmpty());
    chart
        .getStyler()
        .setLegendVisible(style.legend() && !lines.isEmpty())
        .setLegendPosition(LegendPosition.OutsideS)
        .setLegendLayout(LegendLayout.Vertical);
    style.axis().least().ifPresent(chart.getStyler()::setYAxisMin);
    style.axis().greatest().ifPresent(chart.getStyler()::setYAxisMax);
    for (int number = 0; number < lines.size(); number++) {
      Line line = lines.get(number);
      // Named by number, since titles may be equal.
      XYSeries series = chart.addSeries("" + number, line.times(), line.values());
      series.setLabel(line.title());
      series.setShowInLegend(number < MOST_IN_LEGEND);
      series.setMarker(
          line.times().size() <= FEW_POINTS ? SeriesMarkers.CIRCLE : SeriesMarkers.NONE);
    }
    return chart;
  }

  private String days() {
    Instant from = Instant.MAX;
    Instant to = Instant.MIN;
    for (Line line : lines) {
      Instant first = line.times().get(0);
      Instant last = line.times().get(line.times().size() - 1);
      from = first.isBefore(from) ? first : from;
      to = last.isAfter(to) ? last : to;
    }
    return day(from) + " to " + day(to) + ", " + style.zone().getId();
  }

  private String day(Instant time) {
    return time.atZone(style.zone()).toLocalDate().toString();
  }
}
