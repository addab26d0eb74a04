package org.hourstone.tsd.compare;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.hourstone.tsd.compare.Difference.Kind;
import org.hourstone.tsd.terminal.Plurals;

/** Compares answers that are series, wherever each server has put them. */
final class SeriesComparison {
  private final Numbers numbers;
  private final ContentComparison content;
  private final Consumer<Difference> found;

  SeriesComparison(Numbers numbers, Consumer<Difference> found) {
    this.numbers = numbers;
    this.content = new ContentComparison(numbers, Kind.VALUE, found);
    this.found = found;
  }

  void compare(JsonNode a, JsonNode b) {
    List<AnsweredSeries> left = AnsweredSeries.of(a);
    List<AnsweredSeries> right = AnsweredSeries.of(b);
    Map<String, List<AnsweredSeries>> ofA = byName(left);
    Map<String, List<AnsweredSeries>> ofB = byName(right);
    Set<String> names = new LinkedHashSet<>(ofA.keySet());
    names.addAll(ofB.keySet());
    boolean hasSameSeries = true;
    for (String name : names) {
      List<AnsweredSeries> some = ofA.getOrDefault(name, List.of());
      List<AnsweredSeries> others = ofB.getOrDefault(name, List.of());
      if (some.size() != others.size()) {
        hasSameSeries = false;
        add(
            Kind.TAG,
            name + ": " + times(some.size()) + " in A, " + times(others.size()) + " in B");
      }
      for (int i = 0; i < Math.min(some.size(), others.size()); i++) {
        comparePoints(name, some.get(i).points(), others.get(i).points());
        content.compare(name, some.get(i).rest(), others.get(i).rest());
      }
    }
    if (hasSameSeries) {
      compareOrder("series", left, right);
    }
  }

  private static Map<String, List<AnsweredSeries>> byName(List<AnsweredSeries> all) {
    Map<String, List<AnsweredSeries>> byName = new LinkedHashMap<>();
    all.forEach(each -> byName.computeIfAbsent(each.name(), name -> new ArrayList<>()).add(each));
    return byName;
  }

  private static String times(int number) {
    return number == 0 ? "missing" : number == 1 ? "once" : number + " times";
  }

  private void compareOrder(String what, List<AnsweredSeries> a, List<AnsweredSeries> b) {
    for (int i = 0; i < a.size(); i++) {
      if (!a.get(i).name().equals(b.get(i).name())) {
        add(
            Kind.ORDER,
            what
                + " "
                + (i + 1)
                + " is "
                + a.get(i).name()
                + " in A, "
                + b.get(i).name()
                + " in B");
        return;
      }
    }
  }

  private void comparePoints(String name, Map<String, JsonNode> a, Map<String, JsonNode> b) {
    compareTimes(name, a, b);
    List<String> both = a.keySet().stream().filter(b::containsKey).toList();
    List<String> different =
        both.stream()
            .filter(time -> !numbers.areEqualValues(value(a, time), value(b, time)))
            .toList();
    if (!different.isEmpty()) {
      String first = different.get(0);
      add(
          Kind.VALUE,
          name
              + ": "
              + different.size()
              + " of "
              + Plurals.count(both.size(), "value")
              + ", first at "
              + AnsweredSeries.time(first)
              + ": "
              + a.get(first)
              + " in A, "
              + b.get(first)
              + " in B");
    }
    if (!both.equals(b.keySet().stream().filter(a::containsKey).toList())) {
      add(Kind.ORDER, name + ": its points");
    }
  }

  private static JsonNode value(Map<String, JsonNode> points, String time) {
    return Objects.requireNonNull(points.get(time));
  }

  private void compareTimes(String name, Map<String, JsonNode> a, Map<String, JsonNode> b) {
    List<String> onlyA = a.keySet().stream().filter(time -> !b.containsKey(time)).toList();
    List<String> onlyB = b.keySet().stream().filter(time -> !a.containsKey(time)).toList();
    List<String> texts = new ArrayList<>();
    if (!onlyA.isEmpty()) {
      texts.add(only(onlyA, "A"));
    }
    if (!onlyB.isEmpty()) {
      texts.add(only(onlyB, "B"));
    }
    if (!texts.isEmpty()) {
      add(Kind.TIME, name + ": " + String.join(", ", texts));
    }
  }

  private static String only(List<String> times, String server) {
    return Plurals.count(times.size(), "point")
        + " only in "
        + server
        + " ("
        + (times.size() == 1 ? "" : "first ")
        + AnsweredSeries.time(times.get(0))
        + ")";
  }

  private void add(Kind kind, String text) {
    found.accept(new Difference(kind, text));
  }
}
