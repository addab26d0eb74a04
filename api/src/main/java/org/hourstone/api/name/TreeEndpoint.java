package org.hourstone.api.name;

import org.hourstone.Tsdb;
import org.hourstone.api.endpoint.BodyDialect;
import org.hourstone.api.endpoint.BudgetedResponse;
import org.hourstone.api.endpoint.Endpoint;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiException;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.error.RequestException;
import org.hourstone.tree.Tree;
import org.hourstone.tree.TreeDefinition;
import org.hourstone.tree.Trees;

/** {@code /api/tree}: creates, changes, shows and deletes trees. */
public final class TreeEndpoint implements Endpoint {
  private final Tsdb db;
  private final Trees trees;
  private final BodyDialect bodies;

  public TreeEndpoint(Tsdb db, BodyDialect bodies) {
    this.db = db;
    this.trees = db.trees();
    this.bodies = bodies;
  }

  @Override
  public ApiResponse respond(ApiCall call) {
    return switch (call.method()) {
      case "GET" -> get(call, TreeFields.of(call, bodies, TreeFields.WHICH_TREE));
      case "POST" -> put(TreeFields.of(call, bodies, TreeFields.TREE), false);
      case "PUT" -> put(TreeFields.of(call, bodies, TreeFields.TREE), true);
      case "DELETE" -> delete(TreeFields.of(call, bodies, TreeFields.DELETION));
      default -> throw ApiException.methodNotAllowed(call);
    };
  }

  private ApiResponse get(ApiCall call, TreeFields fields) {
    return fields.number("treeId").isEmpty()
        ? BudgetedResponse.of(
            db,
            call,
            () -> "all trees",
            budget ->
                ApiResponse.ok(
                    trees.all(budget.memory()::grow).stream().map(TreeResponses::tree).toList()))
        : ApiResponse.ok(TreeResponses.tree(find(trees, fields.treeId())));
  }

  /** The tree with this id, or an error response if there is none. */
  static Tree find(Trees trees, int id) {
    return trees
        .get(id)
        .orElseThrow(
            () -> new ApiException(ApiException.NOT_FOUND, "Unable to locate tree: " + id));
  }

  private ApiResponse put(TreeFields fields, boolean replace) {
    if (fields.number("treeId").orElse(0) == 0) {
      return ApiResponse.ok(TreeResponses.tree(create(fields)));
    }
    Tree tree = find(trees, fields.treeId());
    if (!fields.change(TreeFields.DEFINITION, "created")) {
      return ApiResponse.notModified();
    }
    return ApiResponse.ok(
        TreeResponses.tree(
            trees.update(
                tree.id(), stored -> definition(fields, replace ? blank(stored) : stored))));
  }

  private Tree create(TreeFields fields) {
    try {
      return trees.create(definition(fields, TreeDefinition.named("")));
    } catch (RequestException e) {
      throw ApiException.explained(e);
    }
  }

  /** Replacing keeps only the tree's time of creation. */
  private static TreeDefinition blank(TreeDefinition stored) {
    return new TreeDefinition("", "", "", false, stored.created(), false, false);
  }

  private static TreeDefinition definition(TreeFields fields, TreeDefinition base) {
    return fields.onto(TreeFields.DEFINITION, base, "created");
  }

  private ApiResponse delete(TreeFields fields) {
    Tree tree = find(trees, fields.treeId());
    trees.delete(tree.id(), fields.flag("definition", false));
    return ApiResponse.noContent();
  }
}
