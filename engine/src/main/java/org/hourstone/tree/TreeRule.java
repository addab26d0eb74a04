package org.hourstone.tree;

import java.util.LinkedHashMap;
import java.util.Map;
import org.hourstone.error.RequestException;
import org.hourstone.internal.RecordFields;
import org.jspecify.annotations.Nullable;

/**
 * A rule that determines the branch of one level of a tree: the part of a series it applies to, and
 * how the name is extracted. See {@code docs/format/tree.md}.
 *
 * @param treeId 1 to {@link TreeDefinition#MAX_ID}
 * @param level 0 or greater; each level with rules adds one branch, or several with a separator
 * @param order 0 or greater; the first rule of a level that yields a name is used
 * @param type the part of a series; null only in a rule that is not complete yet
 * @param field the tag key, tag value or metric the rule applies to; empty for {@link
 *     RuleType#METRIC}
 * @param customField the custom field; empty if the type has none
 * @param regex extracts the name from the value; empty for all of it
 * @param regexGroup the index of the regular expression's group, from 0
 * @param separator a regular expression at which to split the value into branches; empty for none.
 *     Ignored if there is a regex.
 * @param displayFormat the branch's name with {@code {value}}, {@code {ovalue}}, {@code {tsuid}}
 *     and {@code {tag_name}} in it; empty for the value itself
 */
public record TreeRule(
    int treeId,
    int level,
    int order,
    @Nullable RuleType type,
    String field,
    String customField,
    String regex,
    int regexGroup,
    String separator,
    String displayFormat,
    String description,
    String notes) {

  private static final RecordFields<TreeRule> FIELDS = new RecordFields<>(TreeRule.class, Map.of());

  public TreeRule {
    TreeDefinition.checkId(treeId);
    if (level < 0 || order < 0) {
      throw new RequestException(
          "Invalid rule " + level + ":" + order + ": level and order must be at least 0");
    }
  }

  /** An empty rule with this level and order. */
  public static TreeRule at(int treeId, int level, int order) {
    return FIELDS.of(Map.of("treeId", treeId, "level", level, "order", order));
  }

  /**
   * This rule with a type: it applies to all metrics, or it is incomplete if the type requires a
   * field.
   */
  public TreeRule of(RuleType newType) {
    return with(Map.of("type", newType));
  }

  /** This rule, applied to a tag or a metric. */
  public TreeRule of(RuleType newType, String newField) {
    return with(Map.of("type", newType, "field", newField));
  }

  /** This rule, applied to a custom field of a name's metadata. */
  public TreeRule ofCustom(RuleType newType, String newField, String newCustomField) {
    return with(Map.of("type", newType, "field", newField, "customField", newCustomField));
  }

  /** This rule, with a name extracted by a group of a regular expression. */
  public TreeRule withRegex(String newRegex, int group) {
    return with(Map.of("regex", newRegex, "regexGroup", group));
  }

  /** This rule, with several branches: the pieces between the matches of a regular expression. */
  public TreeRule splitAt(String newSeparator) {
    return with(Map.of("separator", newSeparator));
  }

  /** This rule, with another format of the branch's name. */
  public TreeRule shownAs(String format) {
    return with(Map.of("displayFormat", format));
  }

  private TreeRule with(Map<String, ?> fields) {
    return FIELDS.with(this, fields);
  }

  /**
   * @throws RequestException if the rule lacks a field that its type requires, or has a malformed
   *     regular expression
   */
  public void check() {
    if (type == null) {
      throw new RequestException("Missing rule type");
    }
    if (type.needsField() && field.isEmpty()) {
      throw new RequestException("Missing field name required for " + type + " rule");
    }
    if (type.needsCustomField() && customField.isEmpty()) {
      throw new RequestException("Missing custom field name required for " + type + " rule");
    }
    if (regexGroup < 0) {
      throw new RequestException("Invalid regex group index. Cannot be less than 0");
    }
    RuleRegex.compile(regex);
    RuleRegex.compile(separator);
  }

  /**
   * Checks that a name can be extracted; a stored rule may be one with which none can.
   *
   * @throws RequestException if the regular expression has no such group, or is malformed
   */
  public void checkGroup() {
    int groups = regex.isEmpty() ? 0 : RuleRegex.compile(regex).groups();
    if (regexGroup >= groups && !(regex.isEmpty() && regexGroup == 0)) {
      throw new RequestException(
          "regexGroupIdx: "
              + regexGroup
              + ", but the regex '"
              + regex
              + "' has "
              + groups
              + " groups, counted from 0");
    }
  }

  /** The fields that are set and have no effect, each with the reason. */
  public Map<String, String> withoutEffect() {
    Map<String, String> fields = new LinkedHashMap<>();
    if (type != null && !type.needsField() && !field.isEmpty()) {
      fields.put("field", "of type " + type);
    }
    if (type != null && !type.needsCustomField() && !customField.isEmpty()) {
      fields.put("customField", "of type " + type);
    }
    if (!regex.isEmpty() && !separator.isEmpty()) {
      fields.put("separator", "with a regex");
    }
    return fields;
  }

  /** Tree, level, order and type: {@code [1:0:0:TAGK]}. */
  @Override
  public String toString() {
    return "[" + treeId + ":" + level + ":" + order + ":" + type + "]";
  }
}
