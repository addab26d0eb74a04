package org.hourstone.tool;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A series by its names.
 *
 * @param tags ordered by name
 */
public record SeriesName(String metric, Map<String, String> tags) {
  public SeriesName {
    tags = Collections.unmodifiableMap(new TreeMap<>(tags));
  }

  /** {@code metric{tag=value, …}}. */
  @Override
  public String toString() {
    return metric
        + tags.entrySet().stream()
            .map(tag -> tag.getKey() + "=" + tag.getValue())
            .collect(Collectors.joining(", ", "{", "}"));
  }
}
