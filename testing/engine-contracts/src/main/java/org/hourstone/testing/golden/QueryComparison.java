package org.hourstone.testing.golden;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiPredicate;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiResponse;

/**
 * Compares the answer to a query with the recorded one: the status; the JSON, with numbers by their
 * text, results and points in their order; errors by message and details.
 *
 * <p>Where an error quotes a class, it is compared up to there; see {@link QuotedClasses}.
 */
final class QueryComparison {
  /** Their value depends on which series comes first. */
  private static final Set<String> OF_FIRST_OR_LAST = Set.of("first", "last", "diff");

  /** Their value is summed up series by series, and its rounding depends on the order. */
  private static final Set<String> SUMMED =
      Set.of("sum", "zimsum", "pfsum", "squareSum", "avg", "dev", "mult");

  private static final double ROUNDING = 1e-12;

  private QueryComparison() {}

  /**
   * How an answer differs from the recorded one, in a table where series have the recorded order.
   *
   * @return empty if it doesn't
   */
  static String difference(JsonNode recorded, ApiResponse answer) {
    String status = status(recorded, answer);
    if (!status.isEmpty() || recorded.has("html")) {
      return status;
    }
    List<ExactJson> bodies = bodies(recorded, answer);
    return ExactJson.difference(bodies.get(0), bodies.get(1), Object::equals);
  }

  /**
   * How an answer differs from the recorded one, in a table where series have another order: the
   * same results must be there in any order. Of numbers that are computed from several series,
   *
   * <ul>
   *   <li>those of aggregators that take the first or last series are not compared, only their
   *       times;
   *   <li>doubles of aggregators that sum up may differ in their rounding;
   *   <li>all others must be the same.
   * </ul>
   *
   * @return empty if it doesn't
   */
  static String differenceInAnyOrder(JsonNode recorded, ApiResponse answer) {
    String status = status(recorded, answer);
    if (!status.isEmpty() || recorded.has("html")) {
      return status;
    }
    List<ExactJson> bodies = bodies(recorded, answer);
    BiPredicate<ExactJson.Scalar, ExactJson.Scalar> alike = alike(aggregators(recorded));
    if (!(bodies.get(0) instanceof ExactJson.Items then)
        || !(bodies.get(1) instanceof ExactJson.Items now)) {
      return ExactJson.difference(bodies.get(0), bodies.get(1), Object::equals);
    }
    List<ExactJson> left = new ArrayList<>(now.items());
    for (ExactJson result : then.items()) {
      if (!removeOne(left, result, alike)) {
        return "recorded " + result + ", answered " + left;
      }
    }
    return left.isEmpty() ? "" : "not recorded " + left;
  }

  private static boolean removeOne(
      List<ExactJson> from,
      ExactJson result,
      BiPredicate<ExactJson.Scalar, ExactJson.Scalar> alike) {
    for (int i = 0; i < from.size(); i++) {
      if (ExactJson.difference(result, from.get(i), alike).isEmpty()) {
        from.remove(i);
        return true;
      }
    }
    return false;
  }

  private static BiPredicate<ExactJson.Scalar, ExactJson.Scalar> alike(Set<String> aggregators) {
    if (aggregators.stream().anyMatch(OF_FIRST_OR_LAST::contains)) {
      return (then, now) -> then.equals(now) || (isValue(then) && isValue(now));
    }
    if (aggregators.stream().anyMatch(SUMMED::contains)) {
      return (then, now) -> then.equals(now) || isRoundedAlike(then, now);
    }
    return Object::equals;
  }

  /** A number, or the text that replaces it. */
  private static boolean isValue(ExactJson.Scalar scalar) {
    return scalar.isNumber() || List.of("null", "\"NaN\"").contains(scalar.text());
  }

  private static boolean isRoundedAlike(ExactJson.Scalar then, ExactJson.Scalar now) {
    if (!then.isNumber() || !now.isNumber() || then.isInteger() || now.isInteger()) {
      return false;
    }
    double one = Double.parseDouble(then.text());
    double other = Double.parseDouble(now.text());
    return Math.abs(one - other) <= ROUNDING * Math.max(Math.abs(one), Math.abs(other));
  }

  /** Of all its sub-queries. */
  private static Set<String> aggregators(JsonNode recorded) {
    Set<String> aggregators = new HashSet<>();
    for (JsonNode query : recorded.path("body").path("queries")) {
      aggregators.add(query.path("aggregator").asText());
    }
    ApiCall call = RecordedAnswer.call(recorded);
    call.parameters().getOrDefault("m", List.of()).stream()
        .map(query -> query.replaceFirst(":.*", ""))
        .forEach(aggregators::add);
    call.parameters().getOrDefault("tsuid", List.of()).stream()
        .map(query -> query.replaceFirst(":.*", ""))
        .forEach(aggregators::add);
    return aggregators;
  }

  private static String status(JsonNode recorded, ApiResponse answer) {
    int then = recorded.required("status").asInt();
    return then == answer.status()
        ? ""
        : "status: recorded "
            + then
            + ", answered "
            + answer.status()
            + " "
            + answer.body().lines().limit(1).toList();
  }

  /** The recorded body and the actual one, without parts that are not compared. */
  private static List<ExactJson> bodies(JsonNode recorded, ApiResponse answer) {
    ExactJson then = ExactJson.of(recorded.path("response").asText());
    ExactJson now = ExactJson.of(answer.body());
    if (then instanceof ExactJson.Members one
        && one.get("error") instanceof ExactJson.Members error
        && now instanceof ExactJson.Members other
        && other.get("error") instanceof ExactJson.Members answered) {
      return List.of(upToQuoted(error, error), upToQuoted(answered, error));
    }
    if (then instanceof ExactJson.Members refused
        && refused.get("error") instanceof ExactJson.Scalar // of a renaming
        && now instanceof ExactJson.Members answered) {
      return List.of(upToQuoted(refused, refused), upToQuoted(answered, refused));
    }
    return List.of(then, now);
  }

  private static ExactJson upToQuoted(ExactJson.Members error, ExactJson.Members recorded) {
    Collection<ExactJson.Member> kept = new ArrayList<>();
    for (ExactJson.Member member : error.members()) {
      int quoted = QuotedClasses.firstIn(recorded.string(member.name()));
      if (quoted < 0) {
        kept.add(member);
      } else if (quoted > 0) {
        String text = error.string(member.name());
        int end = Math.min(quoted, text.length());
        kept.add(
            new ExactJson.Member(
                member.name(), new ExactJson.Scalar('"' + text.substring(0, end) + '"')));
      }
    }
    return new ExactJson.Members(List.copyOf(kept));
  }
}
