package org.hourstone.tree;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * A tree and its rules.
 *
 * @param id 1 to {@link TreeDefinition#MAX_ID}
 * @param rules by level, then by order
 */
public record Tree(int id, TreeDefinition definition, List<TreeRule> rules) {
  public Tree {
    TreeDefinition.checkId(id);
    rules =
        rules.stream()
            .sorted(Comparator.comparingInt(TreeRule::level).thenComparingInt(TreeRule::order))
            .toList();
  }

  /** The rule with this level and order. */
  public Optional<TreeRule> rule(int level, int order) {
    return rules.stream().filter(r -> r.level() == level && r.order() == order).findFirst();
  }
}
