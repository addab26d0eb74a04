package org.hourstone.retention;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.hourstone.internal.Glob;
import org.hourstone.rollup.RollupInterval;
import org.hourstone.uid.NameRules;
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
record RetentionRule(String text, Glob metric, Map<String, Glob> tags, Map<String, Long> seconds) {
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
        pattern(text, form.group(1)),
        tags == null || tags.equals("{}")
            ? Map.of()
            : tags(text, tags.substring(1, tags.length() - 1)),
        kept(text, form.group(3)));
  }

  private static Map<String, Glob> tags(String text, String tags) {
    Map<String, Glob> patterns = new TreeMap<>();
    for (String tag : tags.split(",", -1)) {
      int equals = tag.indexOf('=');
      if (equals < 1 || equals == tag.length() - 1) {
        throw wrong(text, "the tag \"" + tag + "\" is not NAME=VALUE");
      }
      String name = tag.substring(0, equals);
      if (patterns.put(name, pattern(text, tag.substring(equals + 1))) != null) {
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

  private static Glob pattern(String text, String glob) {
    if (Glob.alternatives(glob).isEmpty()) {
      throw wrong(text, "\"" + glob + "\" is not a pattern");
    }
    return Glob.of(glob);
  }

  /** The rule can be read, but not applied. */
  IllegalArgumentException unfit(String why) {
    return new IllegalArgumentException("hourstone.retention: the rule \"" + text + "\": " + why);
  }

  /** A rule before this one applies to all of its series. */
  IllegalArgumentException neverApplies(RetentionRule before) {
    return wrong(text, "it never applies, as \"" + before + "\" before it has all of its series");
  }

  /** Whether it is known that it matches all series that another rule does. */
  boolean covers(RetentionRule other) {
    return metric.covers(other.metric)
        && tags.entrySet().stream()
            .allMatch(
                tag -> {
                  Glob values = other.tags.get(tag.getKey());
                  return values != null && tag.getValue().covers(values);
                });
  }

  /**
   * Checks that series can match.
   *
   * @throws IllegalArgumentException if no name has the characters of a pattern
   */
  void check(NameRules names) {
    check(names, metric);
    tags.forEach(
        (name, values) -> {
          if (!names.allows(name)) {
            throw noName(name);
          }
          check(names, values);
        });
  }

  private void check(NameRules names, Glob pattern) {
    for (String piece : pattern.pieces()) {
      if (!names.allows(piece)) {
        throw noName(piece);
      }
    }
  }

  private IllegalArgumentException noName(String piece) {
    return unfit(
        "\""
            + piece
            + "\" has a character that no name has; in metrics and values * stands for any text,"
            + " and | is between alternatives");
  }

  boolean matchesMetric(String name) {
    return metric.test(name);
  }

  /**
   * @param valueOf the value of a series' tag; null if it has none
   */
  boolean matchesTags(Function<String, @Nullable String> valueOf) {
    return tags.entrySet().stream()
        .allMatch(
            tag -> {
              String value = valueOf.apply(tag.getKey());
              return value != null && tag.getValue().test(value);
            });
  }

  @Override
  public String toString() {
    return text;
  }
}
