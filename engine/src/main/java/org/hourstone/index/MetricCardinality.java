package org.hourstone.index;

import java.util.List;

/**
 * The cardinality of a metric.
 *
 * @param series the number of its series
 * @param tags the cardinality of each of its tag names, ordered by UID
 */
public record MetricCardinality(int series, List<TagCardinality> tags) {
  public MetricCardinality {
    tags = List.copyOf(tags);
  }
}
