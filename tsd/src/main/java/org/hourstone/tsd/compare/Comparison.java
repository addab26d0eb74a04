package org.hourstone.tsd.compare;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.hourstone.tsd.compare.Difference.Kind;

/** Asks two servers the same, one request at a time, and counts how they differ. For one thread. */
final class Comparison {
  private static final Set<String> SERIES =
      Set.of("/api/query", "/api/query/gexp", "/api/query/last");

  private static final Set<String> NAMES = Set.of("/api/search/lookup", "/api/suggest");

  private final ComparedServer a;
  private final ComparedServer b;
  private final Numbers numbers;
  private final Map<Kind, Integer> kinds = new EnumMap<>(Kind.class);
  private int asked;
  private int different;
  private int refused;

  /**
   * @param tolerance by how much numbers may differ, in relation to the larger one
   */
  public Comparison(ComparedServer a, ComparedServer b, BigDecimal tolerance) {
    this.a = a;
    this.b = b;
    this.numbers = new Numbers(tolerance);
  }

  /**
   * Asks both servers.
   *
   * @return how the answers differ; empty if they don't
   */
  public List<Difference> ask(SafeRequest request) {
    // Who is asked first changes, so that what the first one warms helps neither.
    boolean isFirst = asked % 2 == 0;
    Answer early = (isFirst ? a : b).askTimed(request);
    Answer late = (isFirst ? b : a).askTimed(request);
    List<Difference> differences = new ArrayList<>();
    compare(request, isFirst ? early : late, isFirst ? late : early, differences);
    asked++;
    different += differences.isEmpty() ? 0 : 1;
    differences.stream()
        .map(Difference::kind)
        .distinct()
        .forEach(kind -> kinds.merge(kind, 1, Integer::sum));
    return differences;
  }

  private void compare(SafeRequest request, Answer ofA, Answer ofB, List<Difference> found) {
    JsonNode left = ofA.json();
    JsonNode right = ofB.json();
    if (!ofA.isSuccess() && !ofB.isSuccess()) {
      refused++;
      if (ofA.status() != ofB.status()) {
        found.add(error(ofA.problem(), ofB.problem()));
      }
    } else if (!ofA.isSuccess() || !ofB.isSuccess()) {
      found.add(
          error(
              ofA.isSuccess() ? "an answer" : ofA.problem(),
              ofB.isSuccess() ? "an answer" : ofB.problem()));
    } else if (left == null || right == null) {
      found.add(error(left == null ? "no JSON" : "JSON", right == null ? "no JSON" : "JSON"));
    } else if (SERIES.contains(request.path()) && left.isArray() && right.isArray()) {
      new SeriesComparison(numbers, found::add).compare(left, right);
    } else {
      Kind kind = NAMES.contains(request.path()) ? Kind.TAG : Kind.VALUE;
      new ContentComparison(numbers, kind, found::add).compare("content", left, right);
    }
  }

  private static Difference error(String ofA, String ofB) {
    return new Difference(Kind.ERROR, ofA + " in A, " + ofB + " in B");
  }

  /** How many requests both servers were asked. */
  public int asked() {
    return asked;
  }

  /** How many of them were answered differently. */
  public int different() {
    return different;
  }

  /** How many of them were refused by both. */
  public int refused() {
    return refused;
  }

  /** How many requests have differences of a kind. */
  public int of(Kind kind) {
    return kinds.getOrDefault(kind, 0);
  }
}
