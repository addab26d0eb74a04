package org.hourstone.tree;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.hourstone.codec.CorruptDataException;
import org.hourstone.error.RequestException;
import org.hourstone.internal.Json;
import org.jspecify.annotations.Nullable;

/**
 * The JSON in the cells of the tree table. The order of fields is part of the format: a writer that
 * changes a cell compares it with the bytes it read. Missing and null fields are read as empty.
 */
final class TreeJson {
  private TreeJson() {}

  static byte[] bytes(TreeDefinition tree) {
    return Json.bytes(
        Json.object()
            .put("name", tree.name())
            .put("description", tree.description())
            .put("notes", tree.notes())
            .put("strictMatch", tree.strictMatch())
            .put("created", tree.created())
            .put("enabled", tree.enabled())
            .put("storeFailures", tree.storeFailures()));
  }

  static TreeDefinition definition(byte[] row, byte[] value) {
    JsonNode json = read("tree", row, value);
    return new TreeDefinition(
        text(json, "name"),
        text(json, "description"),
        text(json, "notes"),
        json.path("strictMatch").asBoolean(),
        json.path("created").asLong(),
        json.path("enabled").asBoolean(),
        json.path("storeFailures").asBoolean());
  }

  static byte[] bytes(TreeRule rule) {
    return Json.bytes(
        Json.object()
            .put("type", rule.type() == null ? null : rule.type().name())
            .put("field", rule.field())
            .put("regex", rule.regex())
            .put("separator", rule.separator())
            .put("description", rule.description())
            .put("notes", rule.notes())
            .put("level", rule.level())
            .put("order", rule.order())
            .put("treeId", rule.treeId())
            .put("customField", rule.customField())
            .put("regexGroupIdx", rule.regexGroup())
            .put("displayFormat", rule.displayFormat()));
  }

  static TreeRule rule(byte[] row, byte[] value) {
    JsonNode json = read("tree rule", row, value);
    try {
      return new TreeRule(
          TreeCells.treeId(row),
          json.path("level").asInt(),
          json.path("order").asInt(),
          text(json, "type").isEmpty() ? null : RuleType.parse(text(json, "type")),
          text(json, "field"),
          text(json, "customField"),
          text(json, "regex"),
          json.path("regexGroupIdx").asInt(),
          text(json, "separator"),
          text(json, "displayFormat"),
          text(json, "description"),
          text(json, "notes"));
    } catch (RequestException e) {
      throw corrupt("tree rule", row, e.getMessage());
    }
  }

  static byte[] bytes(Branch branch) {
    ObjectNode json = Json.object();
    ObjectNode path = json.putObject("path");
    for (int depth = 0; depth < branch.path().size(); depth++) {
      path.put(Integer.toString(depth), branch.path().get(depth));
    }
    return Json.bytes(json.put("displayName", branch.displayName()));
  }

  static Branch branch(byte[] row, byte[] value) {
    JsonNode json = read("branch", row, value);
    Map<Integer, String> path = new TreeMap<>();
    try {
      for (Map.Entry<String, JsonNode> name : json.path("path").properties()) {
        path.put(Integer.valueOf(name.getKey()), name.getValue().asText());
      }
      return new Branch(TreeCells.treeId(row), List.copyOf(path.values()));
    } catch (RequestException | IllegalArgumentException e) {
      throw corrupt("branch", row, e.getMessage());
    }
  }

  static byte[] bytes(Leaf leaf) {
    return Json.bytes(
        Json.object().put("displayName", leaf.displayName()).put("tsuid", leaf.tsuid()));
  }

  static Leaf leaf(byte[] row, byte[] value) {
    JsonNode json = read("leaf", row, value);
    return new Leaf(text(json, "displayName"), text(json, "tsuid"));
  }

  private static String text(JsonNode json, String field) {
    JsonNode value = json.path(field);
    return value.isNull() ? "" : value.asText();
  }

  private static JsonNode read(String what, byte[] row, byte[] value) {
    JsonNode json;
    try {
      json = Json.read(value);
    } catch (RequestException e) {
      throw corrupt(what, row, e.getMessage());
    }
    if (!json.isObject()) {
      throw corrupt(what, row, "not a JSON object");
    }
    return json;
  }

  private static CorruptDataException corrupt(String what, byte[] row, @Nullable String why) {
    return new CorruptDataException(
        what + " in row " + HexFormat.of().withUpperCase().formatHex(row) + ": " + why);
  }
}
