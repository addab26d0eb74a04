package org.hourstone.tsd.compare;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.StreamSupport;
import org.hourstone.tsd.compare.Difference.Kind;

/** Compares any JSON, and reports the first difference of each array and field. */
final class ContentComparison {
  /** They are of a server, or of the moment. */
  private static final Set<String> IGNORED = Set.of("tsuid", "tsuids", "time", "stats", "query");

  /** The fields of these objects are names that users have chosen. */
  private static final Set<String> NAMED = Set.of("tags", "custom");

  private static final int MOST_SHOWN = 100;

  private final Numbers numbers;
  private final Kind kind;
  private final Consumer<Difference> found;

  /**
   * @param kind of what is not the order
   */
  ContentComparison(Numbers numbers, Kind kind, Consumer<Difference> found) {
    this.numbers = numbers;
    this.kind = kind;
    this.found = found;
  }

  /**
   * Compares two values.
   *
   * @param place where they are
   */
  void compare(String place, JsonNode a, JsonNode b) {
    compare(place, a, b, false);
  }

  private void compare(String place, JsonNode a, JsonNode b, boolean isNamed) {
    if (areEqual(a, b, isNamed)) {
      return;
    }
    if (a.isObject() && b.isObject()) {
      for (String field : fields(a, b, isNamed)) {
        compare(place + " " + field, a.path(field), b.path(field), NAMED.contains(field));
      }
    } else if (a.isArray() && b.isArray()) {
      compareArrays(place, list(a), list(b));
    } else {
      found.accept(new Difference(kind, place + ": " + text(a) + " in A, " + text(b) + " in B"));
    }
  }

  private void compareArrays(String place, List<JsonNode> a, List<JsonNode> b) {
    List<JsonNode> onlyA = without(a, b);
    List<JsonNode> onlyB = without(b, a);
    if (onlyA.isEmpty() && onlyB.isEmpty() && a.size() == b.size()) {
      found.accept(new Difference(Kind.ORDER, place + ": the same in another order"));
    } else if (a.size() == b.size() && onlyA.size() == 1 && onlyB.size() == 1) {
      compare(place, onlyA.get(0), onlyB.get(0));
    } else {
      found.accept(
          new Difference(
              kind, place + ": " + only(onlyA) + " only in A, " + only(onlyB) + " only in B"));
    }
  }

  private static String only(List<JsonNode> some) {
    return some.isEmpty() ? "none" : some.size() + " (" + text(some.get(0)) + ")";
  }

  /** The elements that others lack; equal ones as often as there are more of them. */
  private static List<JsonNode> without(List<JsonNode> all, List<JsonNode> others) {
    Map<String, Integer> left = new HashMap<>();
    others.forEach(each -> left.merge(canonical(each, false), 1, Integer::sum));
    return all.stream()
        .filter(each -> left.merge(canonical(each, false), -1, Integer::sum) < 0)
        .toList();
  }

  /** A text that is the same for what is equal without tolerance. */
  private static String canonical(JsonNode node, boolean isNamed) {
    if (node.isArray()) {
      return list(node).stream().map(each -> canonical(each, false)).toList().toString();
    }
    if (node.isObject()) {
      Map<String, String> texts = new TreeMap<>();
      fields(node, node, isNamed)
          .forEach(field -> texts.put(field, canonical(node.path(field), NAMED.contains(field))));
      return texts.toString();
    }
    BigDecimal number = Numbers.number(node);
    return number == null ? node.toString() : number.stripTrailingZeros().toString();
  }

  private boolean areEqual(JsonNode a, JsonNode b, boolean isNamed) {
    if (a.isObject() && b.isObject()) {
      return fields(a, b, isNamed).stream()
          .allMatch(field -> areEqual(a.path(field), b.path(field), NAMED.contains(field)));
    }
    if (a.isArray() && b.isArray()) {
      if (a.size() != b.size()) {
        return false;
      }
      for (int i = 0; i < a.size(); i++) {
        if (!areEqual(a.path(i), b.path(i), false)) {
          return false;
        }
      }
      return true;
    }
    return numbers.areEqual(a, b);
  }

  private static Set<String> fields(JsonNode a, JsonNode b, boolean isNamed) {
    Set<String> fields = new TreeSet<>();
    a.fieldNames().forEachRemaining(fields::add);
    b.fieldNames().forEachRemaining(fields::add);
    if (!isNamed) {
      fields.removeAll(IGNORED);
    }
    return fields;
  }

  private static List<JsonNode> list(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false).toList();
  }

  private static String text(JsonNode node) {
    String text = node.isMissingNode() ? "nothing" : node.toString();
    return text.length() <= MOST_SHOWN ? text : text.substring(0, MOST_SHOWN) + "…";
  }
}
