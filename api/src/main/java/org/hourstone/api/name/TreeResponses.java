package org.hourstone.api.name;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.hourstone.Tsdb;
import org.hourstone.codec.RowKey;
import org.hourstone.internal.Json;
import org.hourstone.internal.UidText;
import org.hourstone.tree.Branch;
import org.hourstone.tree.Leaf;
import org.hourstone.tree.Placement;
import org.hourstone.tree.Tree;
import org.hourstone.tree.TreeDefinition;
import org.hourstone.tree.TreeRule;
import org.hourstone.uid.NoSuchUidException;
import org.hourstone.uid.SeriesName;

/** The JSON of trees, rules and branches in responses. */
final class TreeResponses {
  private static final String RULE_ORDER =
      "type field regex separator description notes level order treeId customField regexGroupIdx"
          + " displayFormat";

  private TreeResponses() {}

  static ObjectNode tree(Tree tree) {
    TreeDefinition definition = tree.definition();
    ObjectNode json =
        TreeFields.DEFINITION.put(Json.object(), definition, "name description notes enabled");
    if (tree.rules().isEmpty()) {
      json.putNull("rules");
    } else {
      ObjectNode levels = json.putObject("rules");
      for (TreeRule rule : tree.rules()) {
        levels
            .withObjectProperty(Integer.toString(rule.level()))
            .set(Integer.toString(rule.order()), rule(rule));
      }
    }
    TreeFields.DEFINITION.put(json, definition, "created").put("treeId", tree.id());
    return TreeFields.DEFINITION.put(json, definition, "strictMatch storeFailures");
  }

  static ObjectNode rule(TreeRule rule) {
    return TreeFields.RULE.put(Json.object(), rule, RULE_ORDER);
  }

  /**
   * A branch with its leaves and branches.
   *
   * @param leaves may be empty; then null is returned, as for branches
   */
  static ObjectNode branch(Branch branch, List<ObjectNode> leaves, List<ObjectNode> branches) {
    ObjectNode json = Json.object();
    putUnlessEmpty(json, "leaves", leaves);
    putUnlessEmpty(json, "branches", branches);
    ObjectNode path = json.putObject("path");
    for (int depth = 0; depth < branch.path().size(); depth++) {
      path.put(Integer.toString(depth), branch.path().get(depth));
    }
    return json.put("displayName", branch.displayName())
        .put("treeId", branch.treeId())
        .put("branchId", branch.idText())
        .put("depth", branch.depth());
  }

  private static void putUnlessEmpty(ObjectNode json, String field, List<ObjectNode> elements) {
    if (elements.isEmpty()) {
      json.putNull(field);
    } else {
      ArrayNode array = json.putArray(field);
      elements.forEach(array::add);
    }
  }

  /** The root with the single path to a series' leaf, if the series has a place. */
  static ObjectNode root(Placement placement) {
    List<Branch> branches = placement.branches();
    if (branches.isEmpty()) {
      return branch(Branch.root(placement.tree().id()), List.of(), List.of());
    }
    int last = branches.size() - 1;
    ObjectNode json =
        branch(
            branches.get(last),
            placement.leaf().map(leaf -> List.of(unresolved(leaf))).orElseThrow(),
            List.of());
    for (int i = last - 1; i >= 0; i--) {
      json = branch(branches.get(i), List.of(), List.of(json));
    }
    return json;
  }

  private static ObjectNode unresolved(Leaf leaf) {
    return Json.object()
        .put("metric", "")
        .putNull("tags")
        .put("tsuid", leaf.tsuid())
        .put("displayName", leaf.displayName());
  }

  /** A leaf with the names of its series, or without if a UID has none. */
  static ObjectNode leaf(Leaf leaf, Tsdb db, RowKey keys) {
    byte[] tsuid = UidText.parse(leaf.tsuid());
    if (!keys.isTsuid(tsuid)) {
      return unresolved(leaf);
    }
    try {
      SeriesName name = db.seriesNames().of(tsuid);
      ObjectNode json = Json.object().put("metric", name.metric());
      json.set("tags", Json.value(name.tags()));
      return json.put("tsuid", leaf.tsuid()).put("displayName", leaf.displayName());
    } catch (NoSuchUidException e) {
      return unresolved(leaf);
    }
  }
}
