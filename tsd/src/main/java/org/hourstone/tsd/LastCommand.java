package org.hourstone.tsd;

import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.hourstone.Tsdb;
import org.hourstone.internal.UidText;
import org.hourstone.query.LastPoint;
import org.hourstone.query.Query;
import org.hourstone.query.ResultSeries;
import org.hourstone.query.SeriesCursor;
import org.hourstone.series.Aggregator;
import org.hourstone.tool.Admin;
import org.hourstone.tool.StoredHours;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code last}. */
@Command(
    name = "last",
    parameterListHeading = "",
    customSynopsis = "hourstone last [OPTIONS] METRIC [TAG=VALUE]…",
    description = {
      "Shows the latest points of series: time, value and series.",
      "",
      "With --hours N, this hour and the N hours before it are searched; the tags must be"
          + " exactly those of the series. Without, all series that have the tags are shown that"
          + " have points in the latest hour in which one of them has. With"
          + " tsd.core.meta.enable_tsuid_tracking all series are shown, each with the last point of"
          + " the hour it was written in."
    },
    footer = {
      "  hourstone last --hours 24 sys.cpu.user host=web01 dc=lga",
      "  hourstone last sys.cpu.user dc=lga"
    })
final class LastCommand extends SessionCommand {
  @Option(
      names = "--hours",
      paramLabel = "HOURS",
      description = "Number of hours before this one that are searched.")
  @Nullable Integer hours;

  @Parameters(hidden = true)
  List<String> words = new ArrayList<>();

  @Override
  boolean run() {
    if (words.isEmpty()) {
      throw new UsageException("no METRIC");
    }
    if (hours != null && hours < 0) {
      throw new UsageException("--hours " + hours + ": must be 0 or more");
    }
    if (hours != null && words.size() == 1) {
      throw new UsageException("--hours is for one series: give all its tags as TAG=VALUE");
    }
    String metric = words.get(0);
    Map<String, String> tags = tags(words.subList(1, words.size()));
    try (Tsdb db = session().openToRead()) {
      List<LastPoint> found = find(db, metric, tags);
      found.forEach(point -> show(db, point));
      if (found.isEmpty()) {
        session()
            .report(
                "no point found"
                    + (hours == null ? "" : " in " + Plurals.count(hours + 1L, "hour")));
      }
      return !found.isEmpty();
    }
  }

  private List<LastPoint> find(Tsdb db, String metric, Map<String, String> tags) {
    if (hours != null) {
      return db.last().find(metric, tags, hours).stream().toList();
    }
    List<LastPoint> found = db.last().byMeta(metric, tags);
    return found.isEmpty() ? inLatestHour(db, metric, tags) : found;
  }

  private static List<LastPoint> inLatestHour(Tsdb db, String metric, Map<String, String> tags) {
    Query query = Query.metric(metric).aggregate(Aggregator.NONE);
    for (Map.Entry<String, String> tag : tags.entrySet()) {
      query = query.groupBy(tag.getKey(), tag.getValue());
    }
    Optional<StoredHours.Range> range = Admin.of(db).storedHours(query);
    List<LastPoint> found = new ArrayList<>();
    if (range.isPresent()) {
      StoredHours.Range hours = range.get();
      Query last = query.betweenMillis(hours.last() * 1000, hours.end() * 1000 - 1);
      try (SeriesCursor series = db.query(last)) {
        series.forEach(each -> found.add(last(each))); // none is empty
      }
    }
    return found;
  }

  private static LastPoint last(ResultSeries series) {
    int last = series.size() - 1;
    boolean isInteger = series.isInteger(last);
    return new LastPoint(
        series.tsuids().get(0),
        series.millis(last),
        isInteger,
        isInteger ? series.longValue(last) : 0,
        series.doubleValue(last));
  }

  private static Map<String, String> tags(List<String> words) {
    Map<String, String> tags = new LinkedHashMap<>();
    for (String word : words) {
      int equals = word.indexOf('=');
      if (equals < 1 || equals == word.length() - 1) {
        throw new UsageException("'" + word + "': must be TAG=VALUE");
      }
      tags.put(word.substring(0, equals), word.substring(equals + 1));
    }
    return tags;
  }

  private void show(Tsdb db, LastPoint point) {
    DateTimeFormatter format =
        DateTimeFormatter.ofPattern(
                point.millis() % 1000 == 0
                    ? "uuuu-MM-dd'T'HH:mm:ssXXX"
                    : "uuuu-MM-dd'T'HH:mm:ss.SSSXXX",
                Locale.ROOT)
            .withZone(session().options().timeZone());
    out()
        .line(
            format.format(Instant.ofEpochMilli(point.millis()))
                + "  "
                + point.text()
                + "  "
                + db.seriesNames().of(UidText.parse(point.tsuid())));
  }
}
