package org.hourstone.api;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.hourstone.tree.Tree;

/**
 * The fields of a request about trees, from the JSON of its body or, without a body, from its query
 * string. {@code strictMatch} in a body is {@code strict_match} in a query string: names are
 * compared by their letters alone.
 */
final class TreeFields {
  private final Map<String, String> values = new HashMap<>();

  static TreeFields of(ApiCall call) {
    if (!call.body().isEmpty()) {
      return of(RequestBody.object(call));
    }
    TreeFields fields = new TreeFields();
    call.parameters()
        .forEach((name, values) -> fields.values.put(key(name), values.get(values.size() - 1)));
    return fields;
  }

  /** The fields of an object; null counts as missing. */
  static TreeFields of(JsonNode json) {
    TreeFields fields = new TreeFields();
    for (Map.Entry<String, JsonNode> field : json.properties()) {
      if (!field.getValue().isNull()) {
        fields.values.put(key(field.getKey()), text(field.getValue()));
      }
    }
    return fields;
  }

  private static String text(JsonNode value) {
    return value.isArray()
        ? StreamSupport.stream(value.spliterator(), false)
            .map(JsonNode::asText)
            .collect(Collectors.joining(","))
        : value.asText();
  }

  private static String key(String name) {
    return name.replace("_", "").toLowerCase(Locale.ROOT);
  }

  boolean has(String name) {
    return values.containsKey(key(name));
  }

  /** The field's text, or {@code otherwise} if it is missing. */
  String text(String name, String otherwise) {
    return values.getOrDefault(key(name), otherwise);
  }

  /** The field's text, or {@code otherwise} if it is missing or empty. */
  String fullText(String name, String otherwise) {
    String text = text(name, "");
    return text.isEmpty() ? otherwise : text;
  }

  boolean flag(String name, boolean otherwise) {
    return has(name) ? text(name, "").equalsIgnoreCase("true") : otherwise;
  }

  /** The field's number, or nothing if it is missing. */
  Optional<Integer> number(String name) {
    String text = text(name, "");
    try {
      return text.isEmpty() ? Optional.empty() : Optional.of(Integer.valueOf(text.strip()));
    } catch (NumberFormatException e) {
      throw new ApiException(
          ApiException.BAD_REQUEST,
          "Unable to parse '" + name + "' as a number",
          String.valueOf(e.getMessage()));
    }
  }

  /** The elements of a list, or of a text with commas. */
  List<String> list(String name) {
    String text = text(name, "");
    return text.isEmpty()
        ? List.of()
        : Arrays.stream(text.split(",")).map(String::strip).filter(e -> !e.isEmpty()).toList();
  }

  /** The required number of the tree. */
  int treeId() {
    int id = number("treeId").orElse(0);
    if (id < 1 || id > Tree.MAX_ID) {
      throw new ApiException(ApiException.BAD_REQUEST, "Missing or invalid tree ID");
    }
    return id;
  }
}
