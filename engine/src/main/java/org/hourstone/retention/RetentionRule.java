package org.hourstone.retention;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.hourstone.rollup.RollupInterval;
import org.jspecify.annotations.Nullable;

/**
 * A rule of {@code hourstone.retention}: how long the values of some series are kept.
 *
 * @param text as it was written, such as {@code sys.*{dc=lga} raw 30d, 1h 10y}
 * @param metric what the metric's name must match
 * @param tags what the values of these tag names must match; a series without one of the tags does
 *     not match
 * @param seconds how long, by {@link #RAW} or the name of a rollup interval; values of what is
 *     absent are kept forever
 */
record RetentionRule(
    String text, Pattern metric, Map<String, Pattern> tags, Map<String, Long> seconds) {
  /** What rules call points. */
  static final String RAW = "raw";

  private static final Pattern FORM = Pattern.compile("([^\\s{}]+)(\\{[^\\s{}]*\\})?\\s+(\\S.*)");

  /**
   * @throws IllegalArgumentException if it has another form; the message has the rule
   */
  static RetentionRule parse(String text) {
    var form = FORM.matcher(text);
    if (!form.matches()) {
      throw wrong(text, "not METRIC{TAG=VALUE,…} raw DURATION, INTERVAL DURATION…");
    }
    String tags = form.group(2);
    return new RetentionRule(
        text,
        pattern(form.group(1)),
        tags == null || tags.equals("{}")
            ? Map.of()
            : tags(text, tags.substring(1, tags.length() - 1)),
        kept(text, form.group(3)));
  }

  private static Map<String, Pattern> tags(String text, String tags) {
    Map<String, Pattern> patterns = new TreeMap<>();
    for (String tag : tags.split(",", -1)) {
      int equals = tag.indexOf('=');
      if (equals < 1 || equals == tag.length() - 1) {
        throw wrong(text, "the tag \"" + tag + "\" is not NAME=VALUE");
      }
      String name = tag.substring(0, equals);
      if (patterns.put(name, pattern(tag.substring(equals + 1))) != null) {
        throw wrong(text, "the tag " + name + " occurs twice");
      }
    }
    return patterns;
  }

  private static Map<String, Long> kept(String text, String terms) {
    Map<String, Long> kept = new TreeMap<>();
    for (String term : terms.split(",", -1)) {
      String[] words = term.strip().split("\\s+");
      if (words.length != 2) {
        throw wrong(text, "\"" + term.strip() + "\" is not raw or an interval, and a duration");
      }
      long seconds;
      try {
        seconds = RollupInterval.seconds(words[1]);
      } catch (IllegalArgumentException e) {
        throw wrong(text, String.valueOf(e.getMessage()));
      }
      if (kept.put(words[0], seconds) != null) {
        throw wrong(text, words[0] + " occurs twice");
      }
    }
    return kept;
  }

  private static IllegalArgumentException wrong(String text, String why) {
    return new IllegalArgumentException("the rule \"" + text + "\": " + why);
  }

  /** A pattern of alternatives, in which an asterisk stands for any characters. */
  private static Pattern pattern(String glob) {
    StringBuilder regex = new StringBuilder();
    for (String alternative : glob.split("\\|", -1)) {
      regex.append(regex.isEmpty() ? "" : "|");
      String[] pieces = alternative.split("\\*", -1);
      for (int i = 0; i < pieces.length; i++) {
        regex.append(i == 0 ? "" : ".*").append(Pattern.quote(pieces[i]));
      }
    }
    return Pattern.compile(regex.toString(), Pattern.DOTALL);
  }

  boolean matchesMetric(String name) {
    return metric.matcher(name).matches();
  }

  /**
   * @param valueOf the value of a series' tag; null if it has none
   */
  boolean matchesTags(Function<String, @Nullable String> valueOf) {
    return tags.entrySet().stream()
        .allMatch(
            tag -> {
              String value = valueOf.apply(tag.getKey());
              return value != null && tag.getValue().matcher(value).matches();
            });
  }

  @Override
  public String toString() {
    return text;
  }
}
