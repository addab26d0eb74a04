package org.hourstone.api;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.hourstone.Tsdb;
import org.hourstone.error.RequestException;
import org.hourstone.tree.Tree;
import org.hourstone.tree.TreeRule;
import org.hourstone.tree.Trees;

/** {@code /api/tree/rules}: changes, replaces or deletes many rules of one tree. */
final class TreeRulesEndpoint implements Endpoint {
  private final Trees trees;

  TreeRulesEndpoint(Tsdb db) {
    this.trees = db.trees();
  }

  @Override
  public ApiAnswer answer(ApiCall call) {
    switch (call.method()) {
      case "POST" -> merge(rules(call));
      case "PUT" -> replace(rules(call));
      case "DELETE" ->
          trees.replaceRules(
              TreeEndpoint.find(trees, TreeFields.of(call).treeId()).id(), List.of());
      default -> throw ApiException.methodNotAllowed(call);
    }
    return ApiAnswer.noContent();
  }

  private static List<TreeFields> rules(ApiCall call) {
    JsonNode json = RequestBody.array(call);
    if (json.isEmpty()) {
      throw new ApiException(ApiException.BAD_REQUEST, "Missing tree rules");
    }
    List<TreeFields> rules = new ArrayList<>();
    json.forEach(rule -> rules.add(TreeFields.of(rule)));
    return rules;
  }

  private void merge(List<TreeFields> rules) {
    Tree tree = tree(rules);
    rules.stream()
        .filter(TreeRuleEndpoint::changes)
        .forEach(rule -> TreeRuleEndpoint.put(trees, tree, rule, false));
  }

  private void replace(List<TreeFields> rules) {
    Tree tree = tree(rules);
    try {
      List<TreeRule> replacement =
          rules.stream()
              .map(rule -> TreeRuleEndpoint.rule(rule, TreeRuleEndpoint.place(rule)))
              .toList();
      trees.replaceRules(tree.id(), replacement);
    } catch (RequestException e) {
      throw ApiException.explained(e);
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
