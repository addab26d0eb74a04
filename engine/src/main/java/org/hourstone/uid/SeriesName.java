package org.hourstone.uid;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A series by its names.
 *
 * @param tags in the order of their UIDs if translated from a TSUID; the order does not matter for
 *     equality
 */
public record SeriesName(String metric, Map<String, String> tags) {
  /** The tags ordered by name. */
  public SortedMap<String, String> sortedTags() {
    return new TreeMap<>(tags);
  }

  /** {@code metric{tag=value, …}}, ordered by name. */
  @Override
  public String toString() {
    return metric
        + sortedTags().entrySet().stream()
            .map(tag -> tag.getKey() + "=" + tag.getValue())
            .collect(Collectors.joining(", ", "{", "}"));
  }
}
