package org.hourstone.tsd.command;

import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.hourstone.error.RequestException;
import org.hourstone.query.Query;
import org.hourstone.query.QueryDialect;
import org.hourstone.series.Aggregator;
import org.hourstone.series.Downsample;
import org.hourstone.series.RateOptions;
import org.hourstone.tsd.session.Problem;
import org.hourstone.tsd.session.Session;
import org.hourstone.tsd.session.TimeWord;
import org.hourstone.tsd.session.UsageException;

/**
 * The words {@code START [END] EXPRESSION…} of a query. The second word is an expression if it
 * begins like one, with the name of an aggregator and a colon: times have no letter before a colon.
 *
 * <p>An expression may also be given as separate words, as in OpenTSDB's commands: {@code
 * AGGREGATOR [rate [counter,max,reset]] [downsample INTERVAL AGGREGATOR] METRIC [TAG=FILTER]…}.
 */
final class QueryWords {
  private static final Pattern EXPRESSION =
      Pattern.compile("[A-Za-z][A-Za-z0-9]*:.*", Pattern.DOTALL);
  private static final Pattern FUNCTION =
      Pattern.compile("\\s*[A-Za-z][A-Za-z0-9]*\\(.*", Pattern.DOTALL);
  private static final Pattern RATE_OPTIONS = Pattern.compile("(?:drop)?counter(?:,.*)?");
  private static final String NOW = "now";
  private static final String DOWNSAMPLE = "downsample";
  private static final String RATE = "rate";

  private QueryWords() {}

  /** As the other method, with the settings of a session. */
  static List<Query> parse(List<String> words, Session session) {
    return parse(
        words,
        session.clock(),
        session.settings().options().timeZone(),
        session.settings().options().queryDialect());
  }

  /**
   * The times at the start of a query, in milliseconds since the epoch, and the words after them.
   *
   * @param words at least one
   */
  record Range(long start, long end, List<String> words) {}

  /**
   * Parses the times.
   *
   * @throws UsageException if there is no expression, or a time is invalid
   */
  static Range range(List<String> words, InstantSource clock, ZoneId zone, QueryDialect dialect) {
    if (words.isEmpty()) {
      throw new UsageException("no START, such as 1h-ago or 2014/02/14, and no expression");
    }
    boolean hasEnd = words.size() > 1 && !isQuery(words.get(1));
    List<String> left = words.subList(hasEnd ? 2 : 1, words.size());
    Instant now = clock.instant();
    long start = TimeWord.time("START", words.get(0), now, zone, dialect);
    if (left.isEmpty()) {
      throw new UsageException(
          noExpression(words.get(words.size() - 1), hasEnd, now, zone, dialect));
    }
    return new Range(
        start, TimeWord.time("END", hasEnd ? words.get(1) : NOW, now, zone, dialect), left);
  }

  private static String noExpression(
      String last, boolean isEnd, Instant now, ZoneId zone, QueryDialect dialect) {
    try {
      TimeWord.time(last, last, now, zone, dialect);
      return "no expression after '" + last + "', such as 'sum:my.metric'";
    } catch (UsageException e) {
      String example = isEnd ? last : "my.metric";
      return "'" + last + "' is neither a time nor an expression, such as 'sum:" + example + "'";
    }
  }

  private static boolean isQuery(String word) {
    return isExpression(word) || isAggregator(word) || isFunction(word);
  }

  /** Whether a word is a function of queries. */
  static boolean isFunction(String word) {
    return FUNCTION.matcher(word).matches();
  }

  /**
   * The queries without duplicates.
   *
   * @param dialect the rules by which expressions and intervals are parsed
   * @throws UsageException if there is no expression, or a word is invalid
   */
  static List<Query> parse(
      List<String> words, InstantSource clock, ZoneId zone, QueryDialect dialect) {
    return queries(range(words, clock, zone, dialect), dialect, zone);
  }

  /**
   * The queries of a range without duplicates.
   *
   * @param zone the time zone of calendar intervals
   */
  static List<Query> queries(Range range, QueryDialect dialect, ZoneId zone) {
    Deque<String> left = new ArrayDeque<>(range.words());
    Set<Query> queries = new LinkedHashSet<>();
    while (!left.isEmpty()) {
      try {
        Query query =
            isAggregator(left.element())
                ? spelledOut(left, dialect)
                : Query.parse(left.remove(), dialect);
        queries.add(inZone(query, zone).betweenMillis(range.start(), range.end()));
      } catch (RequestException e) {
        throw new UsageException(Problem.of(e).message());
      }
    }
    return new ArrayList<>(queries);
  }

  /** The same query, with calendar intervals in a time zone. */
  static Query inZone(Query query, ZoneId zone) {
    Downsample downsample = query.downsample();
    return downsample == null ? query : query.downsample(downsample.withZone(zone));
  }

  private static Query spelledOut(Deque<String> words, QueryDialect dialect) {
    Aggregator aggregator = Aggregator.parse(words.remove());
    RateOptions rate = null;
    if (RATE.equals(words.peek())) {
      words.remove();
      boolean hasOptions = RATE_OPTIONS.matcher(words.isEmpty() ? "" : words.element()).matches();
      rate = hasOptions ? dialect.rate("rate{" + words.remove() + "}") : RateOptions.DEFAULT;
    }
    Downsample downsample = null;
    if (DOWNSAMPLE.equals(words.peek())) {
      words.remove();
      String interval = next(words, "an interval after 'downsample', such as 5m");
      String by = next(words, "an aggregator after 'downsample " + interval + "'");
      String unit = interval.matches("[0-9]+") ? "ms" : "";
      downsample = Downsample.parse(interval + unit + "-" + by, dialect.durations());
    }
    Query query =
        Query.metric(next(words, "a metric"))
            .aggregate(aggregator)
            .rate(rate)
            .downsample(downsample);
    for (String tag = words.peek(); tag != null && isTag(tag); tag = words.peek()) {
      int equals = tag.indexOf('=');
      query = query.groupBy(tag.substring(0, equals), tag.substring(equals + 1));
      words.remove();
    }
    return query;
  }

  private static String next(Deque<String> words, String what) {
    String word = words.poll();
    if (word == null) {
      throw new UsageException("there must be " + what);
    }
    return word;
  }

  private static boolean isTag(String word) {
    return word.indexOf('=') > 0 && !isExpression(word);
  }

  private static boolean isAggregator(String word) {
    try {
      return !word.isEmpty() && Aggregator.parse(word) != null;
    } catch (RequestException e) {
      return false;
    }
  }

  static boolean isExpression(String word) {
    return EXPRESSION.matcher(word).matches();
  }
}
