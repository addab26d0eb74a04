package org.hourstone.api.name;

import static java.util.stream.Collectors.toUnmodifiableSet;

import com.fasterxml.jackson.databind.node.TextNode;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.hourstone.api.endpoint.BodyDialect;
import org.hourstone.api.endpoint.BodyValue;
import org.hourstone.api.endpoint.QueryString;
import org.hourstone.api.endpoint.RequestBody;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiException;
import org.hourstone.internal.RecordFields;
import org.hourstone.tree.RuleType;
import org.hourstone.tree.TreeDefinition;
import org.hourstone.tree.TreeRule;

/**
 * The fields of a request about trees, from the JSON of its body or, without a body, from its query
 * string. {@code strictMatch} in a body is {@code strict_match} in a query string: names are
 * compared by their letters alone.
 */
public final class TreeFields {
  private static final String TREE_ID = "treeId";
  static final RecordFields<TreeDefinition> DEFINITION =
      new RecordFields<>(TreeDefinition.class, Map.of());
  static final RecordFields<TreeRule> RULE =
      new RecordFields<>(TreeRule.class, Map.of("regexGroup", "regexGroupIdx"));

  // The fields that requests may have.

  /** Which tree is meant. */
  static final Set<String> WHICH_TREE = Set.of(TREE_ID);

  /** Which tree is to be deleted. */
  static final Set<String> DELETION = Set.of(TREE_ID, "definition");

  /** Of a tree. */
  static final Set<String> TREE = and(DEFINITION.names(), TREE_ID);

  /** Which rule is meant. */
  static final Set<String> WHICH_RULE = Set.of(TREE_ID, "level", "order");

  /** Of a rule. */
  static final Set<String> OF_RULE = RULE.names();

  /** Of a branch. */
  static final Set<String> BRANCH = Set.of(TREE_ID, "branch");

  /** Of series in a tree. */
  static final Set<String> SERIES = Set.of(TREE_ID, "tsuids");

  /** Of anything. */
  private static final Set<String> ALL =
      Stream.of(DELETION, TREE, OF_RULE, BRANCH, SERIES)
          .flatMap(Set::stream)
          .map(TreeFields::key)
          .collect(toUnmodifiableSet());

  /** By which a tree, a rule, a branch or series are found. */
  private static final Set<String> NAMING =
      Stream.of(WHICH_RULE, BRANCH, SERIES)
          .flatMap(Set::stream)
          .map(TreeFields::key)
          .collect(toUnmodifiableSet());

  private static final Pattern TRUE = Pattern.compile("(?i)true");
  private static final Pattern FLAG = Pattern.compile("(?i)true|false|");

  private final Map<String, BodyValue> values = new HashMap<>();

  /** Whether each value is of the type that it should be, else lists and texts are the same. */
  private final boolean isExact;

  boolean isExact() {
    return isExact;
  }

  private TreeFields(BodyDialect bodies) {
    this.isExact = !bodies.refusesAllPointsForOne();
  }

  private static Set<String> and(Set<String> names, String... others) {
    return Stream.concat(names.stream(), Arrays.stream(others)).collect(toUnmodifiableSet());
  }

  /**
   * The fields of a request.
   *
   * @param names those that it may have
   */
  static TreeFields of(ApiCall call, BodyDialect bodies, Set<String> names) {
    TreeFields fields = ofParameters(call, bodies, names);
    if (call.body().isEmpty()) {
      return fields;
    }
    if (fields.isExact) {
      fields.values.keySet().stream()
          .filter(ALL::contains)
          .findFirst()
          .ifPresent(
              name -> {
                throw QueryString.wrong(name, "has no effect, since there is a body");
              });
    }
    return of(RequestBody.anyObject(call, bodies), bodies, names);
  }

  /** Those that no request about trees has are ignored. */
  private static TreeFields ofParameters(ApiCall call, BodyDialect bodies, Set<String> names) {
    TreeFields fields = new TreeFields(bodies);
    call.parameters()
        .forEach(
            (name, values) -> {
              if (fields.isExact && ALL.contains(key(name)) && !isAmong(names, name)) {
                throw QueryString.wrong(name, "has no effect on this request");
              }
              if (fields.isExact && NAMING.contains(key(name))) {
                values.forEach(value -> QueryString.checkNotEmpty(name, value));
              }
              values.forEach(
                  value ->
                      fields.put(name, BodyValue.of(TextNode.valueOf(value), name, "", bodies)));
            });
    return fields;
  }

  /**
   * The fields of an object; those that are absent count as missing.
   *
   * @param names those that it may have
   */
  static TreeFields of(BodyValue json, BodyDialect bodies, Set<String> names) {
    TreeFields fields = new TreeFields(bodies);
    json.members()
        .forEach(
            (name, value) -> {
              if (!isAmong(names, name)) {
                value.unknown(names);
              }
              fields.put(name, value);
            });
    return fields;
  }

  private static boolean isAmong(Set<String> names, String name) {
    return names.stream().anyMatch(each -> key(each).equals(key(name)));
  }

  private void put(String name, BodyValue value) {
    BodyValue other = values.put(key(name), value);
    if (isExact && other != null && !other.json().equals(value.json())) {
      throw value.wrong("is given twice");
    }
    if (isExact && ALL.contains(key(name)) && !key(name).equals("tsuids")) {
      value.text(); // which refuses a list
    }
    if (NAMING.contains(key(name))) {
      value.naming();
    }
  }

  private static String key(String name) {
    return name.replace("_", "").toLowerCase(Locale.ROOT);
  }

  boolean has(String name) {
    return values.containsKey(key(name));
  }

  /** The field's text, or {@code otherwise} if it is missing. */
  String text(String name, String otherwise) {
    BodyValue value = values.get(key(name));
    if (value == null) {
      return otherwise;
    }
    return !isExact && value.json().isArray() ? String.join(",", value.texts()) : value.text();
  }

  boolean flag(String name, boolean otherwise) {
    String text = text(name, "").strip();
    if (isExact && !FLAG.matcher(text).matches()) {
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
    BodyValue value = values.get(key(name));
    if (value != null && value.json().isArray()) {
      return value.texts();
    }
    String text = text(name, "");
    List<String> elements = Arrays.stream(text.split(",", -1)).map(String::strip).toList();
    if (value != null && isExact && !text.isEmpty() && elements.contains("")) {
      throw value.wrong("has an empty element");
    }
    return elements.stream().filter(each -> !each.isEmpty()).toList();
  }

  /** The required number of the tree. */
  int treeId() {
    int id = number(TREE_ID).orElse(0);
    if (id < 1 || id > TreeDefinition.MAX_ID) {
      throw new ApiException(ApiException.BAD_REQUEST, "Missing or invalid tree ID");
    }
    return id;
  }
}
