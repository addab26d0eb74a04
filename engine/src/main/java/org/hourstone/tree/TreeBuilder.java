package org.hourstone.tree;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.hourstone.error.RequestException;
import org.jspecify.annotations.Nullable;

/**
 * Places series in one tree by its rules. Has no side effects. Thread-safe.
 *
 * <p>The levels are evaluated in order. The first rule of a level that yields a name adds a branch
 * with this name, or several branches if it splits the value. A level that yields no name is
 * skipped; in a tree with strict match the series then has no place. The last name is the leaf's.
 */
public final class TreeBuilder {
  private final Tree tree;
  private final List<List<CompiledRule>> levels;

  /**
   * @throws RequestException if a rule is incomplete or has a malformed regular expression
   */
  public TreeBuilder(Tree tree) {
    this.tree = tree;
    Map<Integer, List<CompiledRule>> byLevel = new TreeMap<>();
    for (TreeRule rule : tree.rules()) {
      byLevel.computeIfAbsent(rule.level(), l -> new ArrayList<>()).add(CompiledRule.of(rule));
    }
    this.levels = List.copyOf(byLevel.values());
  }

  public Tree tree() {
    return tree;
  }

  /**
   * The position of a series in the tree.
   *
   * @throws RequestException if a rule's regular expression takes too long
   */
  public Placement place(TreeSeries series) {
    List<String> path = new ArrayList<>();
    List<TreeRule> missed = new ArrayList<>();
    List<String> messages = new ArrayList<>();
    for (List<CompiledRule> level : levels) {
      List<String> names = List.of();
      for (int i = 0; i < level.size() && names.isEmpty(); i++) {
        names = apply(level.get(i), series, messages);
      }
      path.addAll(names);
      if (names.isEmpty()) {
        level.forEach(rule -> missed.add(rule.rule()));
      }
    }
    if (path.isEmpty()) {
      messages.add("No rule matched");
    } else if (tree.definition().strictMatch() && !missed.isEmpty()) {
      messages.add("Strict match: no place, since a level was missed: " + missed);
      path.clear();
    } else {
      tellPath(path, series, messages);
    }
    return new Placement(tree, series, path, missed, messages);
  }

  private static List<String> apply(
      CompiledRule compiled, TreeSeries series, List<String> messages) {
    TreeRule rule = compiled.rule();
    messages.add("Processing rule: " + rule);
    String value = value(rule, series);
    tellMatch(rule, value != null, messages);
    if (value == null || value.isEmpty()) {
      return List.of();
    }
    List<String> names = new ArrayList<>();
    for (String piece : compiled.pieces(value)) {
      String name = displayName(rule, value, piece, series);
      if (!name.isEmpty()) {
        names.add(name);
      }
    }
    // Each further branch from one value counts as another application of the rule.
    for (int i = 1; i < names.size(); i++) {
      messages.add("Processing rule: " + rule);
    }
    return names;
  }

  /** The part of the series that a rule applies to, or null if the series has none. */
  private static @Nullable String value(TreeRule rule, TreeSeries series) {
    return switch (Objects.requireNonNull(rule.type())) {
      case METRIC -> series.metric().name();
      case METRIC_CUSTOM -> series.metric().custom().get(rule.customField());
      case TAGK ->
          series.tags().stream()
              .filter(tag -> tag.key().name().equals(rule.field()))
              .map(tag -> tag.value().name())
              .findFirst()
              .orElse(null);
      case TAGK_CUSTOM -> custom(rule, series.tags().stream().map(TreeSeries.Tag::key).toList());
      case TAGV_CUSTOM -> custom(rule, series.tags().stream().map(TreeSeries.Tag::value).toList());
    };
  }

  private static @Nullable String custom(TreeRule rule, List<TreeSeries.Named> names) {
    for (TreeSeries.Named named : names) {
      if (named.name().equals(rule.field()) && named.custom().containsKey(rule.customField())) {
        return named.custom().get(rule.customField());
      }
    }
    return null;
  }

  private static void tellMatch(TreeRule rule, boolean matched, List<String> messages) {
    String what =
        switch (Objects.requireNonNull(rule.type())) {
          case METRIC -> "";
          case TAGK -> "tagk [" + rule.field() + "]";
          case METRIC_CUSTOM, TAGK_CUSTOM, TAGV_CUSTOM -> "custom tag [" + rule.customField() + "]";
        };
    if (!what.isEmpty()) {
      messages.add((matched ? "Matched " : "No match on ") + what + " for rule: " + rule);
    }
  }

  /** Tokens are replaced one after the other, in this order. */
  private static String displayName(TreeRule rule, String value, String piece, TreeSeries series) {
    if (rule.displayFormat().isEmpty()) {
      return piece;
    }
    String tagName =
        switch (Objects.requireNonNull(rule.type())) {
          case METRIC -> "";
          case TAGK -> rule.field();
          case METRIC_CUSTOM, TAGK_CUSTOM, TAGV_CUSTOM -> rule.customField();
        };
    return rule.displayFormat()
        .replace("{ovalue}", value)
        .replace("{value}", piece)
        .replace("{tsuid}", series.tsuid())
        .replace("{tag_name}", tagName);
  }

  /** Traces the path from the leaf up; the depth of the root is 1. */
  private static void tellPath(List<String> path, TreeSeries series, List<String> messages) {
    int leaf = path.size();
    messages.add(
        "Depth [%d] Adding leaf [name: %s tsuid: %s] to parent branch [Name: [%s]]"
            .formatted(
                leaf + 1,
                path.get(leaf - 1),
                series.tsuid(),
                leaf == 1 ? Branch.ROOT : path.get(leaf - 2)));
    for (int depth = leaf - 1; depth > 1; depth--) {
      messages.add(
          "Depth [%d] Adding branch: Name: [%s] to parent: Name: [%s]"
              .formatted(depth + 1, path.get(depth - 1), path.get(depth - 2)));
    }
  }

  /** A rule with its compiled regular expressions; null for one that is not needed. */
  private record CompiledRule(
      TreeRule rule, @Nullable RuleRegex regex, @Nullable RuleRegex separator) {
    static CompiledRule of(TreeRule rule) {
      try {
        rule.check();
        return new CompiledRule(
            rule,
            rule.regex().isEmpty() ? null : RuleRegex.compile(rule.regex()),
            rule.separator().isEmpty() ? null : RuleRegex.compile(rule.separator()));
      } catch (RequestException e) {
        throw new RequestException("rule " + rule + ": " + e.getMessage(), e);
      }
    }

    /**
     * The names that the regex or the separator extracts from a value; the regex takes precedence.
     */
    List<String> pieces(String value) {
      try {
        if (regex != null) {
          String group = regex.group(value, rule.regexGroup());
          return group == null || group.isEmpty() ? List.of() : List.of(group);
        }
        return separator == null
            ? List.of(value)
            : Arrays.stream(separator.split(value)).filter(piece -> !piece.isEmpty()).toList();
      } catch (RequestException e) {
        throw new RequestException("rule " + rule + ": " + e.getMessage(), e);
      }
    }
  }
}
