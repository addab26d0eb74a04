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
  private int unanswered;

  /**
   * @param tolerance by how much numbers may differ, in relation to the larger one
   */
  public Comparison(ComparedServer a, ComparedServer b, BigDecimal tolerance) {
    this.a = a;
    this.b = b;
    this.numbers = new Numbers(tolerance);
  }

  /** Asks both servers, and compares their answers. */
  public Compared ask(SafeRequest request) {
    // Who is asked first changes, so that what the first one warms helps neither.
    boolean isFirst = asked % 2 == 0;
    Answer early = (isFirst ? a : b).askTimed(request);
    Answer late = (isFirst ? b : a).askTimed(request);
    Answer ofA = isFirst ? early : late;
    Answer ofB = isFirst ? late : early;
    asked++;
    if (ofA.isNone() && ofB.isNone()) {
      unanswered++;
      return Compared.unanswered(both(ofA.problem(), ofB.problem()));
    }
    List<Difference> differences = new ArrayList<>();
    compare(request, ofA, ofB, differences);
    different += differences.isEmpty() ? 0 : 1;
    differences.stream()
        .map(Difference::kind)
        .distinct()
        .forEach(kind -> kinds.merge(kind, 1, Integer::sum));
    return Compared.of(differences);
  }

  private void compare(SafeRequest request, Answer ofA, Answer ofB, List<Difference> found) {
    JsonNode left = ofA.json();
    JsonNode right = ofB.json();
    if (!ofA.isSuccess() && !ofB.isSuccess()) {
      refused += ofA.isNone() || ofB.isNone() ? 0 : 1;
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
    return new Difference(Kind.ERROR, both(ofA, ofB));
  }

  private static String both(String ofA, String ofB) {
    return ofA + " in A, " + ofB + " in B";
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

  /** How many of them neither has answered, so that nothing could be compared. */
  public int unanswered() {
    return unanswered;
  }

  /** How many requests have differences of a kind. */
  public int of(Kind kind) {
    return kinds.getOrDefault(kind, 0);
  }
}
