package org.hourstone.tree;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.hourstone.error.RequestException;

/**
 * A tree and its rules.
 *
 * @param id 1 to {@link #MAX_ID}
 * @param rules by level, then by order
 */
public record Tree(int id, TreeDefinition definition, List<TreeRule> rules) {
  /** The largest id: two bytes hold it. */
  public static final int MAX_ID = 65535;

  public Tree {
    checkId(id);
    rules =
        rules.stream()
            .sorted(Comparator.comparingInt(TreeRule::level).thenComparingInt(TreeRule::order))
            .toList();
  }

  /** The rule with this level and order. */
  public Optional<TreeRule> rule(int level, int order) {
    return rules.stream().filter(r -> r.level() == level && r.order() == order).findFirst();
  }

  static void checkId(int id) {
    if (id < 1 || id > MAX_ID) {
      throw new RequestException("Invalid tree ID: " + id + " is not 1 to " + MAX_ID);
    }
  }
}
