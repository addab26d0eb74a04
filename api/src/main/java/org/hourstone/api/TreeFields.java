package org.hourstone.api;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.hourstone.internal.RecordFields;
import org.hourstone.tree.RuleType;
import org.hourstone.tree.Tree;
import org.hourstone.tree.TreeDefinition;
import org.hourstone.tree.TreeRule;

/**
 * The fields of a request about trees, from the JSON of its body or, without a body, from its query
 * string. {@code strictMatch} in a body is {@code strict_match} in a query string: names are
 * compared by their letters alone.
 */
final class TreeFields {
  static final RecordFields<TreeDefinition> DEFINITION =
      new RecordFields<>(TreeDefinition.class, Map.of());
  static final RecordFields<TreeRule> RULE =
      new RecordFields<>(TreeRule.class, Map.of("regexGroup", "regexGroupIdx"));

  private static final Pattern TRUE = Pattern.compile("(?i)true");
  private static final Pattern FLAG = Pattern.compile("(?i)true|false|");

  private final Map<String, String> values = new HashMap<>();
  private final boolean checksFlags;

  private TreeFields(BodyDialect bodies) {
    this.checksFlags = !bodies.refusesAllPointsForOne();
  }

  static TreeFields of(ApiCall call, BodyDialect bodies) {
    if (!call.body().isEmpty()) {
      return of(RequestBody.object(call, bodies), bodies);
    }
    TreeFields fields = new TreeFields(bodies);
    call.parameters()
        .forEach((name, values) -> fields.values.put(key(name), values.get(values.size() - 1)));
    return fields;
  }

  /** The fields of an object; those that are absent count as missing. */
  static TreeFields of(BodyValue json, BodyDialect bodies) {
    TreeFields fields = new TreeFields(bodies);
    json.members().forEach((name, value) -> fields.values.put(key(name), text(value)));
    return fields;
  }

  private static String text(BodyValue value) {
    return value.json().isArray() ? String.join(",", value.texts()) : value.text();
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

  boolean flag(String name, boolean otherwise) {
    String text = text(name, "").strip();
    if (checksFlags && !FLAG.matcher(text).matches()) {
      throw new ApiException(
          ApiException.BAD_REQUEST, "'" + name + "' is neither true nor false", text);
    }
    return has(name) ? TRUE.matcher(text).matches() : otherwise;
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

  /**
   * Whether a field is present that would change an unset record: an empty text or 0 changes
   * nothing, a boolean counts even if it is false.
   *
   * @param except names of fields that do not count
   */
  boolean change(RecordFields<?> kind, String... except) {
    return kind.any(field -> !List.of(except).contains(field.name()) && change(field).isPresent());
  }

  /**
   * A record with the fields of this request replaced, as far as they {@link #change} it.
   *
   * @param except names of fields that are kept
   */
  <T extends Record> T onto(RecordFields<T> kind, T stored, String... except) {
    return kind.build(
        field ->
            List.of(except).contains(field.name())
                ? field.of(stored)
                : change(field)
                    .map(value -> field.type() == RuleType.class ? type(value) : value)
                    .orElse(field.of(stored)));
  }

  private static RuleType type(Object text) {
    return RuleType.parse(text.toString());
  }

  private Optional<?> change(RecordFields.Field field) {
    if (field.type() == boolean.class) {
      return has(field.name()) ? Optional.of(flag(field.name(), false)) : Optional.empty();
    }
    return field.type() == int.class
        ? number(field.name()).filter(number -> number != 0)
        : Optional.of(text(field.name(), "")).filter(text -> !text.isEmpty());
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
