package org.hourstone.index;

import java.util.List;

/**
 * The cardinality of one tag among the series of a metric.
 *
 * @param tagk the tag name's UID
 * @param series the number of series with this tag name
 * @param values the number of distinct values
 * @param top at most the requested number of most frequent values, the most frequent first
 */
public record TagCardinality(byte[] tagk, int series, int values, List<ValueCount> top) {
  public TagCardinality {
    top = List.copyOf(top);
  }

  /**
   * A value.
   *
   * @param tagv its UID
   * @param series the number of series with this value
   */
  public record ValueCount(byte[] tagv, int series) {}
}
