package org.hourstone.tsd.view;

import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.hourstone.query.Query;
import org.hourstone.query.ResultSeries;
import org.hourstone.tsd.terminal.TextOutput;
import org.jspecify.annotations.Nullable;

/**
 * A result as CSV that {@code import --csv} takes: a line for each point, its tags in one column.
 */
public final class CsvView implements SeriesView {
  public static final String TAGS = "tags";

  private final TextOutput out;
  private final DateTimeFormatter seconds;
  private final DateTimeFormatter millis;
  private boolean begun;

  /**
   * @param zone the zone of the times
   */
  public CsvView(TextOutput out, ZoneId zone) {
    this.out = out;
    this.seconds =
        DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ssXXX", Locale.ROOT).withZone(zone);
    this.millis =
        DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSXXX", Locale.ROOT).withZone(zone);
  }

  @Override
  public void begin(@Nullable Query query) {
    if (!begun) {
      out.line("metric,timestamp,value," + TAGS); // only now, when all names are known to be valid
      begun = true;
    }
  }

  @Override
  public void add(ResultSeries series) {
    String tags =
        field(
            series.tags().entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(tag -> tag.getKey() + "=" + tag.getValue())
                .collect(Collectors.joining(" ")));
    String metric = field(series.metric());
    for (int i = 0; i < series.size(); i++) {
      long time = series.millis(i);
      DateTimeFormatter format = time % 1000 == 0 ? seconds : millis;
      out.line(
          metric
              + ","
              + format.format(Instant.ofEpochMilli(time))
              + ","
              + series.text(i)
              + ","
              + tags);
    }
  }

  private static String field(String text) {
    boolean plain = text.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
    return plain ? text : '"' + text.replace("\"", "\"\"") + '"';
  }

  @Override
  public void finish() {}
}
