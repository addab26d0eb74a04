package org.hourstone.tsd.view;

import java.util.Map;
import java.util.stream.Collectors;
import org.hourstone.query.ResultSeries;
import org.hourstone.tsd.terminal.Plurals;
import org.hourstone.write.SingleLine;

/** The title line of a series: {@code sys.cpu.user {host=web01} of 4 series that differ in cpu}. */
final class SeriesTitle {
  private SeriesTitle() {}

  static String of(ResultSeries series) {
    String tags =
        series.tags().entrySet().stream()
            .sorted(Map.Entry.comparingByKey())
            .map(tag -> tag.getKey() + "=" + tag.getValue())
            .collect(Collectors.joining(",", " {", "}"));
    int count = series.tsuids().size();
    String of =
        count == 1
            ? ""
            : " of "
                + Plurals.count(count, "series", "series")
                + (series.aggregateTags().isEmpty()
                    ? ""
                    : " that differ in " + String.join(", ", series.aggregateTags()));
    return SingleLine.of(series.metric() + (series.tags().isEmpty() ? "" : tags) + of);
  }
}
