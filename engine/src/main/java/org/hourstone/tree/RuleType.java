package org.hourstone.tree;

import java.util.Arrays;
import java.util.Locale;
import org.hourstone.error.RequestException;

/** The part of a series that a rule applies to. */
public enum RuleType {
  /** The metric's name. */
  METRIC,
  /** A custom field of the metric's metadata. */
  METRIC_CUSTOM,
  /** The value of the tag with the rule's key. */
  TAGK,
  /** A custom field of the metadata of the rule's tag key. */
  TAGK_CUSTOM,
  /** A custom field of the metadata of the rule's tag value. */
  TAGV_CUSTOM;

  /**
   * The type with this name, case-insensitive.
   *
   * @throws RequestException if the name is unknown; the message lists the types
   */
  public static RuleType parse(String text) {
    try {
      return valueOf(text.strip().toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw new RequestException(
          "unknown rule type '" + text + "': must be one of " + Arrays.toString(values()), e);
    }
  }

  /** Whether a rule of this type must name the tag key, tag value or metric it is about. */
  boolean needsField() {
    return this != METRIC;
  }

  /** Whether a rule of this type must name a custom field. */
  boolean needsCustomField() {
    return this == METRIC_CUSTOM || this == TAGK_CUSTOM || this == TAGV_CUSTOM;
  }
}
