package org.hourstone.index;

import java.util.List;

/**
 * How the series of a metric differ in one tag.
 *
 * @param tagk the tag name's UID
 * @param series how many series have it
 * @param values how many different values they have
 * @param top the values most series have, as many as were asked for, that of the most series first
 */
public record TagCardinality(byte[] tagk, int series, int values, List<ValueCount> top) {
  public TagCardinality {
    top = List.copyOf(top);
  }

  /**
   * A value.
   *
   * @param tagv its UID
   * @param series how many series have it
   */
  public record ValueCount(byte[] tagv, int series) {}
}
