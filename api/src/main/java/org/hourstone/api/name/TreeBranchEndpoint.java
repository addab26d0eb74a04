package org.hourstone.api.name;

import java.util.Arrays;
import java.util.List;
import org.hourstone.Tsdb;
import org.hourstone.api.endpoint.ApiOptions;
import org.hourstone.api.endpoint.BodyDialect;
import org.hourstone.api.endpoint.BudgetedResponse;
import org.hourstone.api.endpoint.Endpoint;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiException;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.codec.RowKey;
import org.hourstone.internal.UidText;
import org.hourstone.query.RequestBudget;
import org.hourstone.tree.Branch;
import org.hourstone.tree.BranchView;

/** {@code /api/tree/branch}: shows a branch with its direct leaves and branches. */
public final class TreeBranchEndpoint implements Endpoint {
  private final Tsdb db;
  private final RowKey keys;
  private final BodyDialect bodies;

  public TreeBranchEndpoint(Tsdb db, ApiOptions options) {
    this.db = db;
    this.keys = options.keys();
    this.bodies = options.requests().bodies();
  }

  @Override
  public ApiResponse respond(ApiCall call) {
    TreeFields fields = TreeFields.of(call, bodies, TreeFields.BRANCH);
    String branch = fields.text("branch", "");
    byte[] id = branch.isEmpty() ? Branch.root(fields.treeId()).id() : UidText.parse(branch);
    if (fields.isExact() && fields.has("treeId") && !isIn(fields.treeId(), id)) {
      throw new ApiException(
          ApiException.BAD_REQUEST,
          "branch '" + branch + "' is not one of the tree " + fields.treeId());
    }
    return BudgetedResponse.of(
        db, call, () -> "branch " + UidText.format(id), budget -> respond(id, budget));
  }

  private ApiResponse respond(byte[] id, RequestBudget budget) {
    BranchView view =
        db.trees()
            .branch(id, budget.memory()::grow)
            .orElseThrow(
                () ->
                    new ApiException(
                        ApiException.NOT_FOUND,
                        "Unable to locate branch '" + UidText.format(id) + "'"));
    return ApiResponse.ok(
        TreeResponses.branch(
            view.branch(),
            view.leaves().stream().map(leaf -> TreeResponses.leaf(leaf, db, keys)).toList(),
            view.branches().stream()
                .map(child -> TreeResponses.branch(child, List.of(), List.of()))
                .toList()));
  }

  private static boolean isIn(int treeId, byte[] branch) {
    byte[] root = Branch.root(treeId).id();
    return branch.length >= root.length
        && Arrays.equals(root, 0, root.length, branch, 0, root.length);
  }
}
