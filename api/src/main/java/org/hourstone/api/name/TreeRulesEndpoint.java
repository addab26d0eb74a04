package org.hourstone.api.name;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.hourstone.Tsdb;
import org.hourstone.api.endpoint.BodyDialect;
import org.hourstone.api.endpoint.BodyValue;
import org.hourstone.api.endpoint.Endpoint;
import org.hourstone.api.endpoint.RequestBody;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiException;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.error.RequestException;
import org.hourstone.tree.Tree;
import org.hourstone.tree.TreeRule;
import org.hourstone.tree.Trees;

/** {@code /api/tree/rules}: changes, replaces or deletes many rules of one tree. */
public final class TreeRulesEndpoint implements Endpoint {
  private final Trees trees;
  private final BodyDialect bodies;

  public TreeRulesEndpoint(Tsdb db, BodyDialect bodies) {
    this.trees = db.trees();
    this.bodies = bodies;
  }

  @Override
  public ApiResponse respond(ApiCall call) {
    switch (call.method()) {
      case "POST" -> merge(rules(call));
      case "PUT" -> replace(rules(call));
      case "DELETE" ->
          trees.replaceRules(
              TreeEndpoint.find(trees, TreeFields.of(call, bodies, TreeFields.WHICH_TREE).treeId())
                  .id(),
              List.of());
      default -> throw ApiException.methodNotAllowed(call);
    }
    return ApiResponse.noContent();
  }

  private List<TreeFields> rules(ApiCall call) {
    List<BodyValue> json = RequestBody.array(call, bodies);
    if (json.isEmpty()) {
      throw new ApiException(ApiException.BAD_REQUEST, "Missing tree rules");
    }
    List<TreeFields> rules = new ArrayList<>();
    json.forEach(rule -> rules.add(TreeFields.of(rule, bodies, TreeFields.OF_RULE)));
    return rules;
  }

  private void merge(List<TreeFields> rules) {
    Tree tree = tree(rules);
    List<TreeFields> changes = rules.stream().filter(TreeRuleEndpoint::changes).toList();
    Map<TreeRule, TreeRule> checked = new HashMap<>();
    changes.forEach(
        rule -> TreeRuleEndpoint.check(tree, rule, checked)); // all before any is stored
    changes.forEach(rule -> TreeRuleEndpoint.put(trees, tree, rule, false));
  }

  private void replace(List<TreeFields> rules) {
    Tree tree = tree(rules);
    try {
      List<TreeRule> replacement =
          rules.stream()
              .map(rule -> TreeRuleEndpoint.rule(rule, TreeRuleEndpoint.place(rule)))
              .toList();
      if (!bodies.takesRepeatedMembers()) {
        checkPlaces(replacement);
      }
      trees.replaceRules(tree.id(), replacement);
    } catch (RequestException e) {
      throw ApiException.explained(e);
    }
  }

  /** A rule would replace another one of the same request. */
  private static void checkPlaces(List<TreeRule> rules) {
    Set<List<Integer>> places = new HashSet<>();
    for (TreeRule rule : rules) {
      if (!places.add(List.of(rule.level(), rule.order()))) {
        throw new RequestException(
            "two rules have the level %d and the order %d".formatted(rule.level(), rule.order()));
      }
    }
  }

  private Tree tree(List<TreeFields> rules) {
    int id = rules.get(0).treeId();
    if (rules.stream().anyMatch(rule -> rule.treeId() != id)) {
      throw new ApiException(
          ApiException.BAD_REQUEST, "All rules must be of the same tree, here " + id);
    }
    return TreeEndpoint.find(trees, id);
  }
}
