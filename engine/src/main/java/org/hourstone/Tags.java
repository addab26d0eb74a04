package org.hourstone;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The tags of a series: names and values, in the order in which new ones get their UIDs. Immutable.
 * Two instances are equal if they have the same names and values, in any order.
 */
public final class Tags {
  private final Map<String, String> map;

  private Tags(Map<String, String> map) {
    this.map = Collections.unmodifiableMap(map);
  }

  /**
   * Tags by name and value in turn: {@code Tags.of("host", "web01", "cpu", "0")}.
   *
   * @throws IllegalArgumentException if a value is missing or a name occurs twice
   */
  public static Tags of(String... namesAndValues) {
    if (namesAndValues.length % 2 != 0) {
      throw new IllegalArgumentException(
          "tag '" + namesAndValues[namesAndValues.length - 1] + "' has no value");
    }
    Map<String, String> map = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      if (map.put(namesAndValues[i], namesAndValues[i + 1]) != null) {
        throw new IllegalArgumentException("tag '" + namesAndValues[i] + "' is given twice");
      }
    }
    return new Tags(map);
  }

  /** Tags in the order of the map. */
  public static Tags of(Map<String, String> tags) {
    return new Tags(new LinkedHashMap<>(tags));
  }

  /** The tags, in their order; can't be changed. */
  public Map<String, String> asMap() {
    return map;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Tags tags && map.equals(tags.map);
  }

  @Override
  public int hashCode() {
    return map.hashCode();
  }

  @Override
  public String toString() {
    return map.toString();
  }
}
