package org.hourstone.tsd;

import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.List;
import java.util.regex.Pattern;
import org.hourstone.query.Query;
import org.hourstone.query.TimeText;

/**
 * The words {@code START [END] EXPRESSION…} of a query. What comes second is an expression if it
 * begins as one, with the name of an aggregator and a colon: times have no letter before a colon.
 */
final class QueryWords {
  private static final Pattern EXPRESSION =
      Pattern.compile("[A-Za-z][A-Za-z0-9]*:.*", Pattern.DOTALL);
  private static final String NOW = "now";

  private QueryWords() {}

  /**
   * The queries, each once.
   *
   * @throws UsageException if there is no expression
   * @throws IllegalArgumentException if a word is wrong
   */
  static List<Query> parse(List<String> words, InstantSource clock, ZoneId zone) {
    if (words.isEmpty()) {
      throw new UsageException("no START, such as 1h-ago or 2014/02/14, and no expression");
    }
    boolean hasEnd = words.size() > 1 && !isExpression(words.get(1));
    List<String> expressions = words.subList(hasEnd ? 2 : 1, words.size());
    if (expressions.isEmpty()) {
      throw new UsageException(
          "no expression after '" + words.get(words.size() - 1) + "', such as 'sum:my.metric'");
    }
    Instant now = clock.instant();
    long start = TimeText.parseMillis(words.get(0), now, zone);
    long end = TimeText.parseMillis(hasEnd ? words.get(1) : NOW, now, zone);
    return expressions.stream()
        .map(text -> Query.parse(text).betweenMillis(start, end))
        .distinct()
        .toList();
  }

  static boolean isExpression(String word) {
    return EXPRESSION.matcher(word).matches();
  }
}
