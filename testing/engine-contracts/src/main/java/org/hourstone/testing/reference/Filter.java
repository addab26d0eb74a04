package org.hourstone.testing.reference;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Which values of a tag are wanted.
 *
 * @param type such as literal_or
 * @param text the text in its parentheses
 * @param groupBy whether series with other values are another group
 */
record Filter(String tagk, String type, String text, boolean groupBy) {
  /** The form of a filter in a map of tags, or in braces. */
  static Filter parse(String tagk, String text) {
    int parenthesis = text.indexOf('(');
    if (parenthesis > 0) {
      String inside = text.substring(parenthesis + 1, text.length() - 1);
      return new Filter(tagk, text.substring(0, parenthesis), inside, true);
    }
    return new Filter(tagk, text.contains("*") ? "iwildcard" : "literal_or", text, true);
  }

  /** Whether a series has the tag with a value that is wanted, or need not have it. */
  boolean matches(Map<String, String> tags, boolean negativesNeedTheTag) {
    String tagv = tags.get(tagk);
    if (tagv == null) {
      return type.startsWith("not_") && !negativesNeedTheTag;
    }
    List<String> values = Arrays.asList(text.split("\\|"));
    List<String> lower = Arrays.asList(text.toLowerCase(Locale.ROOT).split("\\|"));
    return switch (type) {
      case "literal_or" -> values.contains(tagv);
      case "iliteral_or" -> lower.contains(tagv.toLowerCase(Locale.ROOT));
      case "not_literal_or" -> !values.contains(tagv);
      case "not_iliteral_or" -> !lower.contains(tagv.toLowerCase(Locale.ROOT));
      case "wildcard" -> matches(text, tagv, negativesNeedTheTag);
      case "iwildcard" ->
          matches(
              text.toLowerCase(Locale.ROOT), tagv.toLowerCase(Locale.ROOT), negativesNeedTheTag);
      case "regexp" -> Pattern.compile(text).matcher(tagv).find();
      default -> throw new IllegalArgumentException("no such filter: " + this);
    };
  }

  /**
   * @param strict whether a pattern has no alternatives
   */
  private static boolean matches(String glob, String text, boolean strict) {
    String pattern = glob.replace("*", "\\E.*\\Q");
    return text.matches("(\\Q" + (strict ? pattern : pattern.replace("|", "\\E|\\Q")) + "\\E)");
  }
}
