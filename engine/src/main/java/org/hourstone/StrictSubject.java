package org.hourstone;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A subject in which Hourstone copies the behaviour of OpenTSDB in strict mode only. The setting
 * {@link Settings#STRICT} has those in which it does.
 */
public enum StrictSubject {
  SALT(
      "there may be more buckets than the salt's bytes can number; salted series are ordered by"
          + " their salt first, and a series with rows in several buckets counts as several"),
  POINTS(
      "telnet lines are ISO-8859-1, not UTF-8, every dot of their timestamps is dropped, and lines"
          + " have no dates ([timestamps](format/text-input.md#timestamps)); a decimal closer to 0"
          + " than the smallest double, such as 1e-400, is stored as 0; timestamps after 2106 wrap"
          + " around to 1970 ([limits](format/timestamps.md#limits)); a JSON body is parsed to its"
          + " end before any of its points is stored, also if it is"
          + " [large](daemon.md#large-put-bodies); an invalid telnet histogram is ignored silently,"
          + " and an unknown rollup interval has the reply \"Unexpected exception\"; while the"
          + " store fails, puts have status 400, after which collectors drop their points, and"
          + " other requests 424"),
  UIDS(
      "the counter of UIDs is incremented when a name is refused because no UID is left;"
          + " suggestions without a prefix omit names that start with byte `7E` or above"),
  ROLLUPS(
      "averages of rolled-up values need an id for `avg`, intervals are read for calendar days they"
          + " don't fit, and the last bucket may lack rows; `pfsum` is no synonym of `sum`;"
          + " pre-aggregates are read however they were aggregated; the aggregator `count` adds the"
          + " series of a query whose intervals could be rolled up; values rolled up to the default"
          + " interval are written, into cells that readers of raw points misread ([default"
          + " interval](format/rollup.md#default-interval))"),
  ROWS(
      "a query rewrites the rows it reads, as `tsd.storage.enable_compaction` and"
          + " `tsd.storage.repair_appends` specify; the points of one cell are read in stored order"
          + " instead of sorted"),
  DELETION(
      "deleting by query deletes all rows that are read, whole hours with their annotations,"
          + " instead of exactly the points of the range"),
  REQUESTS(
      "[query requests](api.md#strict-mode) and all [bodies](api.md#bodies) are parsed, and errors"
          + " and doubles written, as by OpenTSDB 2.4; requests without a header `Host`, or with"
          + " several, are accepted, and the refusal of [a web site](daemon.md#web-sites) has"
          + " status 200"),
  FILTERS("[filters](query.md#filters) are interpreted as by OpenTSDB 2.4, quirks included"),
  HOURS(
      "a query reads [the hours](query.md#range) that OpenTSDB reads, so that its first values"
          + " depend on where in an hour it starts, and not also what interpolation and rates need"
          + " before and after its range"),
  DOUBLES(
      "an integer is returned as a double if the next point of the series is a double, not only"
          + " doubles"),
  AGGREGATION(
      "a series has an [artificial rate](query.md#rates) until its second point; the least double,"
          + " which `mimmax` uses for an absent point, is the least"
          + " [positive](query.md#aggregators) one; integers"
          + " [wrap around](query.md#integers-and-doubles) beyond 64 bits"),
  ANNOTATIONS(
      "ranges of annotations compare seconds with milliseconds, and salted rows are not deleted"
          + " ([ranges](format/annotation.md#ranges))"),
  EXPRESSIONS("[expressions](expressions.md) have OpenTSDB's quirks"),
  LOOKUPS(
      "lookups of series are OpenTSDB's: a URI can't select the data table, a series is returned"
          + " once for each of its rows there, and a deleted name is an error");

  static final String ALL = "all";
  static final String NONE = "none";

  private final String behaviour;

  StrictSubject(String behaviour) {
    this.behaviour = behaviour;
  }

  /** The word for the subject in the setting. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** What Hourstone does as OpenTSDB, in Markdown; links are relative to {@code docs/}. */
  public String behaviour() {
    return behaviour;
  }

  /**
   * The subjects of a text: words with commas between them, which are read from left to right. A
   * subject with a minus is left out.
   *
   * @throws IllegalArgumentException if a word is not the name of a subject
   */
  static Set<StrictSubject> parse(String text) {
    Set<StrictSubject> subjects = EnumSet.noneOf(StrictSubject.class);
    for (String part : text.split(",", -1)) {
      String word = part.strip();
      if (word.equals(ALL)) {
        subjects.addAll(EnumSet.allOf(StrictSubject.class));
      } else if (word.equals(NONE)) {
        subjects.clear();
      } else if (word.startsWith("-")) {
        subjects.remove(of(word.substring(1)));
      } else {
        subjects.add(of(word));
      }
    }
    return Set.copyOf(subjects);
  }

  private static StrictSubject of(String word) {
    return Arrays.stream(values())
        .filter(subject -> subject.word().equals(word))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no subject: " + word));
  }

  /** All words, for the documentation and for errors. */
  static String words() {
    return Arrays.stream(values())
        .map(subject -> "`" + subject.word() + "`")
        .collect(Collectors.joining(", "));
  }
}
