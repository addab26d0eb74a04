package org.hourstone.tsd.command;

import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.hourstone.Tsdb;
import org.hourstone.internal.UidText;
import org.hourstone.query.LastPoint;
import org.hourstone.tsd.session.SessionCommand;
import org.hourstone.tsd.session.SimilarNames;
import org.hourstone.tsd.session.UsageException;
import org.hourstone.tsd.terminal.Plurals;
import org.hourstone.uid.NoSuchNameException;
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
          + " exactly those of the series. Without, all series that have the tags are shown whose"
          + " latest point is at most 24 hours older than the newest of them, however old that is."
          + " A VALUE may be values with | between them, and a * in it matches any text."
    },
    footer = {
      "  hourstone last --hours 24 sys.cpu.user host=web01 dc=lga",
      "  hourstone last sys.cpu.user dc=lga"
    })
public final class LastCommand extends SessionCommand {
  @Option(
      names = "--hours",
      paramLabel = "HOURS",
      description = "Number of hours before this one that are searched.")
  @Nullable Integer hours;

  @Parameters(hidden = true)
  List<String> words = new ArrayList<>();

  @Override
  protected boolean run() {
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
    try (Tsdb db = session().store().openToRead()) {
      List<LastPoint> found;
      try {
        found = find(db, metric, tags);
      } catch (NoSuchNameException e) {
        throw SimilarNames.of(e, db.uids());
      }
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
    return db.last().latest(metric, tags);
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
            .withZone(session().settings().options().timeZone());
    out()
        .line(
            format.format(Instant.ofEpochMilli(point.millis()))
                + "  "
                + point.text()
                + "  "
                + db.seriesNames().of(UidText.parse(point.tsuid())));
  }
}
