package org.hourstone.testing.reference;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The series that lines of the telnet protocol put. Names are numbered in the order in which they
 * are met, as UIDs are; the numbers order series and groups.
 */
final class PutLines {
  private static final long LARGEST_SECONDS = 0xFFFFFFFFL;

  private final Map<String, Integer> tagks = new HashMap<>();
  private final Map<String, Integer> tagvs = new HashMap<>();
  private final Map<String, Map<Map<String, String>, Series>> byMetric = new HashMap<>();

  void put(String line) {
    String[] words = line.split(" ");
    Map<String, String> tags = new TreeMap<>();
    for (String tag : Arrays.asList(words).subList(4, words.length)) {
      String[] pair = tag.split("=", 2);
      tagks.putIfAbsent(pair[0], tagks.size() + 1);
      tagvs.putIfAbsent(pair[1], tagvs.size() + 1);
      tags.put(pair[0], pair[1]);
    }
    long time = Long.parseLong(words[2]);
    byMetric
        .computeIfAbsent(words[1], metric -> new HashMap<>())
        .computeIfAbsent(tags, t -> new Series(t, new TreeMap<>()))
        .points()
        .put(time > LARGEST_SECONDS ? time : time * 1000, value(words[3]));
  }

  private static Number value(String text) {
    if (text.matches("[-+]?\\d+")) {
      return Long.valueOf(text);
    }
    return Double.valueOf(text);
  }

  /** A metric's series in the order of their rows: by the pairs of tag name and tag value. */
  List<Series> of(String metric) {
    List<Series> series = new ArrayList<>(byMetric.getOrDefault(metric, Map.of()).values());
    series.sort(Comparator.comparing(this::rowOrder, PutLines::compare));
    return series;
  }

  private List<Integer> rowOrder(Series series) {
    Map<Integer, Integer> pairs = new TreeMap<>();
    series.tags().forEach((tagk, tagv) -> pairs.put(tagk(tagk), tagv(tagv)));
    List<Integer> order = new ArrayList<>();
    pairs.forEach((tagk, tagv) -> order.addAll(List.of(tagk, tagv)));
    return order;
  }

  /** Lexicographically, the shorter one first. */
  static int compare(List<Integer> one, List<Integer> other) {
    for (int i = 0; i < Math.min(one.size(), other.size()); i++) {
      int compared = Integer.compare(one.get(i), other.get(i));
      if (compared != 0) {
        return compared;
      }
    }
    return Integer.compare(one.size(), other.size());
  }

  int tagk(String name) {
    return tagks.getOrDefault(name, 0);
  }

  int tagv(String name) {
    return tagvs.getOrDefault(name, 0);
  }
}
