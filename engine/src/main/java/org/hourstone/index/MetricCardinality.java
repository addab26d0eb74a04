package org.hourstone.index;

import java.util.List;

/**
 * How many series a metric has.
 *
 * @param series how many in all
 * @param tags the cardinality of each of its tag names, ordered by UID
 */
public record MetricCardinality(int series, List<TagCardinality> tags) {
  public MetricCardinality {
    tags = List.copyOf(tags);
  }
}
