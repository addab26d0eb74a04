package org.hourstone.api.name;

import java.util.List;
import java.util.Map;
import org.hourstone.Tsdb;
import org.hourstone.api.endpoint.BodyDialect;
import org.hourstone.api.endpoint.Endpoint;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiException;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.error.RequestException;
import org.hourstone.tree.Tree;
import org.hourstone.tree.TreeRule;
import org.hourstone.tree.Trees;

/** {@code /api/tree/rule}: creates, changes, shows and deletes one rule. */
public final class TreeRuleEndpoint implements Endpoint {
  private final Trees trees;
  private final BodyDialect bodies;

  public TreeRuleEndpoint(Tsdb db, BodyDialect bodies) {
    this.trees = db.trees();
    this.bodies = bodies;
  }

  @Override
  public ApiResponse respond(ApiCall call) {
    return switch (call.method()) {
      case "GET" ->
          ApiResponse.ok(
              TreeResponses.rule(find(TreeFields.of(call, bodies, TreeFields.WHICH_RULE))));
      case "POST" -> put(TreeFields.of(call, bodies, TreeFields.OF_RULE), false);
      case "PUT" -> put(TreeFields.of(call, bodies, TreeFields.OF_RULE), true);
      case "DELETE" -> {
        TreeRule rule = find(TreeFields.of(call, bodies, TreeFields.WHICH_RULE));
        trees.deleteRule(rule.treeId(), rule.level(), rule.order());
        yield ApiResponse.noContent();
      }
      default -> throw ApiException.methodNotAllowed(call);
    };
  }

  private TreeRule find(TreeFields fields) {
    Tree tree = TreeEndpoint.find(trees, fields.treeId());
    for (String name : List.of("level", "order")) {
      if (fields.isExact() && !fields.has(name)) { // OpenTSDB takes 0
        throw new ApiException(ApiException.BAD_REQUEST, "Missing " + name + " of the rule");
      }
    }
    TreeRule wanted = place(fields);
    return tree.rule(wanted.level(), wanted.order())
        .orElseThrow(
            () ->
                new ApiException(
                    ApiException.NOT_FOUND,
                    "Unable to locate rule %d:%d of tree %d"
                        .formatted(wanted.level(), wanted.order(), wanted.treeId())));
  }

  private ApiResponse put(TreeFields fields, boolean replace) {
    TreeRule place = place(fields);
    Tree tree = TreeEndpoint.find(trees, place.treeId());
    return changes(fields)
        ? ApiResponse.ok(TreeResponses.rule(put(trees, tree, fields, replace)))
        : ApiResponse.notModified();
  }

  /** Creates a rule, or changes or replaces the one with its level and order. */
  static TreeRule put(Trees trees, Tree tree, TreeFields fields, boolean replace) {
    TreeRule place = place(fields);
    try {
      return trees.updateRule(
          tree.id(),
          place.level(),
          place.order(),
          stored -> rule(fields, replace ? place : stored));
    } catch (RequestException e) {
      throw ApiException.explained(e);
    }
  }

  /**
   * Checks a rule before it is stored.
   *
   * @param before the rules that are stored before it, by their place
   * @throws ApiException if it can't be stored
   */
  static void check(Tree tree, TreeFields fields, Map<TreeRule, TreeRule> before) {
    TreeRule place = place(fields);
    try {
      TreeRule stored = tree.rule(place.level(), place.order()).orElse(place);
      TreeRule rule = rule(fields, before.getOrDefault(place, stored));
      rule.check();
      before.put(place, rule);
    } catch (RequestException e) {
      throw ApiException.explained(e);
    }
  }

  /** Whether the request differs from a blank rule at level and order 0. */
  static boolean changes(TreeFields fields) {
    return fields.change(TreeFields.RULE, "treeId");
  }

  /** The blank rule at the place in a request. */
  static TreeRule place(TreeFields fields) {
    try {
      return TreeRule.at(
          fields.treeId(), fields.number("level").orElse(0), fields.number("order").orElse(0));
    } catch (RequestException e) {
      throw ApiException.explained(e);
    }
  }

  /**
   * The rule after a request.
   *
   * @throws RequestException if its regular expression lacks the group, or the request gives a
   *     field that has no effect in the rule, but for strict mode
   */
  static TreeRule rule(TreeFields fields, TreeRule base) {
    TreeRule rule = fields.onto(TreeFields.RULE, base, "treeId", "level", "order");
    if (fields.isExact()) {
      rule.checkGroup();
      rule.withoutEffect()
          .forEach(
              (field, why) -> {
                if (!fields.text(field, "").isEmpty()) {
                  throw new RequestException(field + ": has no effect in a rule " + why);
                }
              });
    }
    return rule;
  }
}
