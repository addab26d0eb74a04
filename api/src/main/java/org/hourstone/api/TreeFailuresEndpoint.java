package org.hourstone.api;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.hourstone.Tsdb;
import org.hourstone.tree.Trees;

/**
 * {@code /api/tree/collisions} and {@code /api/tree/notmatched}: the series that found no place, by
 * TSUID.
 */
final class TreeFailuresEndpoint implements Endpoint {
  /** Reads the failures of a tree: all, or those of the listed TSUIDs. */
  @FunctionalInterface
  interface Failures {
    Map<String, String> of(int treeId, List<String> tsuids);
  }

  private final Trees trees;
  private final Failures failures;
  private final BodyDialect bodies;

  TreeFailuresEndpoint(Tsdb db, BodyDialect bodies, Failures failures) {
    this.trees = db.trees();
    this.bodies = bodies;
    this.failures = failures;
  }

  @Override
  public ApiAnswer answer(ApiCall call) {
    if (!List.of("GET", "POST", "PUT").contains(call.method())) {
      throw ApiException.methodNotAllowed(call);
    }
    TreeFields fields = TreeFields.of(call, bodies);
    int treeId = TreeEndpoint.find(trees, fields.treeId()).id();
    return ApiAnswer.ok(new HashMap<>(failures.of(treeId, fields.list("tsuids"))));
  }
}
