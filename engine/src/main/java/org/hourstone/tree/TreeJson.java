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
import org.hourstone.internal.RecordFields;
import org.jspecify.annotations.Nullable;

/**
 * The JSON in the cells of the tree table. The order of fields is part of the format: a writer that
 * changes a cell compares it with the bytes it read. Missing and null fields are read as empty.
 */
final class TreeJson {
  private static final RecordFields<TreeDefinition> DEFINITION =
      new RecordFields<>(TreeDefinition.class, Map.of());
  private static final RecordFields<TreeRule> RULE =
      new RecordFields<>(TreeRule.class, Map.of("regexGroup", "regexGroupIdx"));
  private static final String RULE_ORDER =
      "type field regex separator description notes level order treeId customField regexGroupIdx"
          + " displayFormat";
  private static final RecordFields<Leaf> LEAF = new RecordFields<>(Leaf.class, Map.of());

  private TreeJson() {}

  static byte[] bytes(TreeDefinition tree) {
    return Json.bytes(DEFINITION.put(Json.object(), tree));
  }

  static TreeDefinition definition(byte[] row, byte[] value) {
    JsonNode json = read("tree", row, value);
    return DEFINITION.build(field -> value(json, field));
  }

  static byte[] bytes(TreeRule rule) {
    return Json.bytes(RULE.put(Json.object(), rule, RULE_ORDER));
  }

  static TreeRule rule(byte[] row, byte[] value) {
    JsonNode json = read("tree rule", row, value);
    try {
      return RULE.build(
          field -> field.name().equals("treeId") ? TreeCells.treeId(row) : value(json, field));
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
    return Json.bytes(LEAF.put(Json.object(), leaf));
  }

  static Leaf leaf(byte[] row, byte[] value) {
    JsonNode json = read("leaf", row, value);
    return LEAF.build(field -> value(json, field));
  }

  /** A field's value; unset if it is missing or has another type. */
  private static @Nullable Object value(JsonNode json, RecordFields.Field field) {
    JsonNode value = json.path(field.name());
    if (field.type() == int.class) {
      return value.asInt();
    }
    if (field.type() == long.class) {
      return value.asLong();
    }
    if (field.type() == boolean.class) {
      return value.asBoolean();
    }
    String text = value.isNull() ? "" : value.asText();
    if (field.type() == RuleType.class) {
      return text.isEmpty() ? null : RuleType.parse(text);
    }
    return text;
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
