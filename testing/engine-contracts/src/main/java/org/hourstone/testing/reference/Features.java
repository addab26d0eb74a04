package org.hourstone.testing.reference;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Counts how often each feature of the contract was drawn. All are known beforehand. */
public final class Features {
  private final Map<String, Integer> drawn = new LinkedHashMap<>();

  /** Declares features. */
  public void know(String kind, Collection<String> names) {
    names.forEach(name -> drawn.put(kind + " " + name, 0));
  }

  /** Counts a feature that was drawn. */
  public void count(String kind, String name) {
    String feature = kind + " " + name;
    if (!drawn.containsKey(feature)) {
      throw new IllegalArgumentException("unknown feature: " + feature);
    }
    drawn.merge(feature, 1, Integer::sum);
  }

  /** Counts it if it is there. */
  public void countIf(boolean there, String kind, String name) {
    if (there) {
      count(kind, name);
    }
  }

  /** Those that were never drawn. */
  public List<String> missing() {
    return drawn.entrySet().stream()
        .filter(feature -> feature.getValue() == 0)
        .map(Map.Entry::getKey)
        .toList();
  }

  /** A line for each kind. */
  public String table() {
    Map<String, List<String>> kinds =
        drawn.entrySet().stream()
            .collect(
                Collectors.groupingBy(
                    feature -> feature.getKey().split(" ", 2)[0],
                    LinkedHashMap::new,
                    Collectors.mapping(
                        feature -> feature.getKey().split(" ", 2)[1] + " " + feature.getValue(),
                        Collectors.toList())));
    return kinds.entrySet().stream()
        .map(kind -> kind.getKey() + ": " + String.join(", ", kind.getValue()))
        .collect(Collectors.joining("\n"));
  }
}
