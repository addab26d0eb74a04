package org.hourstone.testing.beside;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.hourstone.testing.reference.RandomPoints;

/**
 * Points that have been written, and which requests can be about.
 *
 * @param metric of the points
 * @param other a metric with some of the same series, and other values
 * @param recent a metric with the same series, each with points of the last two hours
 * @param tsuids of the metric's series
 * @param note seconds that are annotated; each metric has others
 */
record Written(
    String metric,
    String other,
    String recent,
    RandomPoints points,
    List<String> tsuids,
    long note) {
  /** The tags of each series, sorted by their text. */
  List<Map<String, String>> series() {
    return points.lines().stream()
        .map(line -> line.split(" ", 5)[4])
        .collect(Collectors.toCollection(TreeSet::new))
        .stream()
        .map(Written::tags)
        .toList();
  }

  static Map<String, String> tags(String text) {
    Map<String, String> tags = new TreeMap<>();
    Arrays.stream(text.split(" ")).map(tag -> tag.split("=")).forEach(t -> tags.put(t[0], t[1]));
    return tags;
  }

  /** {@code {tagk=tagv,…}}. */
  static String braces(Map<String, String> tags) {
    List<String> pairs = new ArrayList<>();
    tags.forEach((tagk, tagv) -> pairs.add(tagk + "=" + tagv));
    return "{" + String.join(",", pairs) + "}";
  }

  /** A metric with rolled-up values and pre-aggregates, of the same series. */
  String rolled() {
    return metric + ".rolled";
  }

  /** A metric with histograms, of the same series. */
  String histograms() {
    return metric + ".histograms";
  }

  /** The first second that is rolled up: the start of the hour of the first point. */
  long rolledFrom() {
    return first() / 3_600_000 * 3_600;
  }

  long first() {
    return points.times().get(0);
  }

  long last() {
    return points.times().get(points.times().size() - 1);
  }
}
