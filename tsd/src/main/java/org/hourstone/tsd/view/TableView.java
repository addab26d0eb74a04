package org.hourstone.tsd.view;

import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.hourstone.query.ResultSeries;
import org.hourstone.tsd.terminal.Plurals;
import org.hourstone.tsd.terminal.TextOutput;

/**
 * A result as a table for people: a title for each series, and a line for each point with its time
 * and value, decimal points aligned.
 */
public final class TableView implements SeriesView {
  static final String NO_POINTS = "no points in this time range";

  private final TextOutput out;
  private final DateTimeFormatter seconds;
  private final DateTimeFormatter millis;
  private boolean shown;

  /**
   * @param zone the zone of the times
   */
  public TableView(TextOutput out, ZoneId zone) {
    this.out = out;
    this.seconds = format("uuuu-MM-dd'T'HH:mm:ssXXX", zone);
    this.millis = format("uuuu-MM-dd'T'HH:mm:ss.SSSXXX", zone);
  }

  private static DateTimeFormatter format(String pattern, ZoneId zone) {
    return DateTimeFormatter.ofPattern(pattern, Locale.ROOT).withZone(zone);
  }

  @Override
  public void add(ResultSeries series) {
    if (series.size() == 0) {
      return;
    }
    if (shown) {
      out.line("");
    }
    shown = true;
    out.line(SeriesTitle.of(series));
    DateTimeFormatter format = hasMillis(series) ? millis : seconds;
    int width = 0;
    for (int i = 0; i < series.size(); i++) {
      width = Math.max(width, digitsBeforePoint(series.text(i)));
    }
    for (int i = 0; i < series.size(); i++) {
      String value = series.text(i);
      out.line(
          "  "
              + format.format(Instant.ofEpochMilli(series.millis(i)))
              + "  "
              + " ".repeat(width - digitsBeforePoint(value))
              + value);
    }
    out.line("  " + Plurals.count(series.size(), "point"));
  }

  private static boolean hasMillis(ResultSeries series) {
    for (int i = 0; i < series.size(); i++) {
      if (series.millis(i) % 1000 != 0) {
        return true;
      }
    }
    return false;
  }

  private static int digitsBeforePoint(String number) {
    int point = number.indexOf('.');
    return point < 0 ? number.length() : point;
  }

  @Override
  public void finish() {
    if (!shown) {
      out.line(NO_POINTS);
    }
  }
}
