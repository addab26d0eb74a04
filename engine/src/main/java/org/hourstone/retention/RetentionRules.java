package org.hourstone.retention;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;
import org.hourstone.uid.NameRules;
import org.jspecify.annotations.Nullable;

/**
 * The rules of {@code hourstone.retention}, of which the first that matches a series applies to it.
 * A series that none matches is kept. Immutable.
 */
public final class RetentionRules {
  /** No rules: everything is kept. */
  public static final RetentionRules NONE = new RetentionRules(List.of());

  private final List<RetentionRule> rules;

  private RetentionRules(List<RetentionRule> rules) {
    this.rules = List.copyOf(rules);
  }

  /**
   * Parses rules that are separated by semicolons.
   *
   * @throws IllegalArgumentException if one of them is malformed; the message has it and the reason
   */
  public static RetentionRules parse(String text) {
    List<RetentionRule> rules = new ArrayList<>();
    for (String rule : text.split(";", -1)) {
      if (!rule.isBlank()) {
        RetentionRule next = RetentionRule.parse(rule.strip());
        for (RetentionRule before : rules) {
          if (before.covers(next)) {
            throw next.neverApplies(before);
          }
        }
        rules.add(next);
      }
    }
    return new RetentionRules(rules);
  }

  List<RetentionRule> all() {
    return rules;
  }

  /** Whether there is no rule. */
  public boolean isEmpty() {
    return rules.isEmpty();
  }

  /**
   * The longest time for which a rule keeps points, in seconds; empty if a rule keeps them for
   * ever, or if there is none.
   */
  public OptionalLong longestOfPoints() {
    return rules.stream().allMatch(rule -> rule.seconds().containsKey(RetentionRule.RAW))
        ? rules.stream().mapToLong(rule -> rule.seconds().get(RetentionRule.RAW)).max()
        : OptionalLong.empty();
  }

  /**
   * Checks that the rules can be applied.
   *
   * @param intervals the names of the rollup intervals that are configured
   * @param least the shortest time that values may be kept, in seconds
   * @param names which names series may have
   * @throws IllegalArgumentException if a rule names another interval, keeps values for less, or
   *     has a pattern that no name can match
   */
  void check(Collection<String> intervals, long least, String hint, NameRules names) {
    for (RetentionRule rule : rules) {
      rule.check(names);
      rule.seconds()
          .forEach(
              (values, seconds) -> {
                if (!values.equals(RetentionRule.RAW) && !intervals.contains(values)) {
                  throw rule.unfit(
                      "there is no rollup interval "
                          + values
                          + " (hourstone.rollups.auto, tsd.rollups.config); points are called raw");
                }
                if (seconds < least) {
                  throw rule.unfit("it deletes what is younger than a day: " + hint);
                }
              });
    }
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof RetentionRules same && toString().equals(same.toString());
  }

  @Override
  public int hashCode() {
    return toString().hashCode();
  }

  /** The rules as they are written. */
  @Override
  public String toString() {
    return String.join("; ", rules.stream().map(RetentionRule::text).toList());
  }
}
