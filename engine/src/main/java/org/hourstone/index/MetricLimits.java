package org.hourstone.index;

import java.util.ArrayList;
import java.util.List;
import org.hourstone.internal.Glob;
import org.jspecify.annotations.Nullable;

/**
 * How many series each metric may have: rules, of which the first whose pattern matches a metric's
 * name applies to it. A metric that none matches is not limited. Immutable.
 */
public final class MetricLimits {
  /** No metric is limited. */
  public static final MetricLimits NONE = new MetricLimits(List.of());

  private final List<Rule> rules;

  private record Rule(String text, Glob metrics, long most) {}

  private MetricLimits(List<Rule> rules) {
    this.rules = List.copyOf(rules);
  }

  /**
   * Parses rules that are separated by semicolons, each a pattern and a number; a number alone
   * applies to all metrics.
   *
   * @throws IllegalArgumentException if a rule is malformed, or never applies; the message has it
   */
  public static MetricLimits parse(String text) {
    List<Rule> rules = new ArrayList<>();
    for (String each : text.split(";", -1)) {
      if (!each.isBlank()) {
        Rule next = rule(each.strip());
        for (Rule before : rules) {
          if (before.metrics().covers(next.metrics())) {
            throw new IllegalArgumentException(
                "the rule \""
                    + next.text()
                    + "\" never applies, as \""
                    + before.text()
                    + "\" before it has all of its metrics");
          }
        }
        rules.add(next);
      }
    }
    return new MetricLimits(rules);
  }

  private static Rule rule(String text) {
    String[] words = text.split("\\s+");
    try {
      long most = Long.parseLong(words[words.length - 1]);
      if (words.length <= 2 && most >= 1) {
        return new Rule(text, Glob.of(words.length == 1 ? "*" : words[0]), most);
      }
    } catch (NumberFormatException e) {
      // It is malformed in the same way.
    }
    throw new IllegalArgumentException(
        "the rule \"" + text + "\" is not a pattern of metrics and a number of series, 1 or more");
  }

  /** Whether there is no rule. */
  public boolean isEmpty() {
    return rules.isEmpty();
  }

  /** The number for a metric; {@link Long#MAX_VALUE} if it is not limited. */
  long of(String metric) {
    for (Rule rule : rules) {
      if (rule.metrics().test(metric)) {
        return rule.most();
      }
    }
    return Long.MAX_VALUE;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof MetricLimits same && toString().equals(same.toString());
  }

  @Override
  public int hashCode() {
    return toString().hashCode();
  }

  /** The rules as they are written. */
  @Override
  public String toString() {
    return String.join("; ", rules.stream().map(Rule::text).toList());
  }
}
