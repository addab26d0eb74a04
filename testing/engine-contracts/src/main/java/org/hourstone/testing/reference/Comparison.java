package org.hourstone.testing.reference;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.Consumer;
import org.hourstone.Tsdb;
import org.hourstone.api.Api;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiResponse;

/** A database and the reference with the same points. */
final class Comparison {
  private static final int OK = 200;
  private static final int BAD_REQUEST = 400;
  private static final int TOO_LARGE = 413;
  private static final String INFINITE = "Got Infinity";

  /** Brings all names into the world that a filter may have. */
  private static final List<String> NAMES =
      List.of(
          "put names 1500001200 1 host=web01 dc=lga",
          "put names 1500001200 1 host=web02 dc=sjc",
          "put names 1500001200 1 host=Web03 dc=LGA",
          "put names 1500001200 1 host=db01 type=0");

  private final Api api;
  private final Reference reference;

  Comparison(Tsdb db, Mode mode, List<String> lines, Consumer<String> seen) {
    this.api = new Api(db);
    PutLines points = new PutLines();
    this.reference = new Reference(points, mode, seen);
    for (List<String> part : List.of(NAMES, lines)) {
      part.forEach(
          line -> {
            db.putLine(line);
            points.put(line);
          });
    }
    db.flush();
  }

  private Comparison(Api api, Reference reference) {
    this.api = api;
    this.reference = reference;
  }

  /** The same reference, and another database over the same points. */
  Comparison with(Tsdb db) {
    return new Comparison(new Api(db), reference);
  }

  /**
   * Has both answer a request.
   *
   * @return how the answers differ; empty if they don't
   */
  String difference(JsonNode request, Consumer<String> seen) {
    return difference(request, answer(request), seen);
  }

  /**
   * As {@link #difference(JsonNode, Consumer)}, except that the database may refuse the request
   * with an error that names a setting, its limit: then {@code "refused"} is seen.
   */
  String difference(JsonNode request, String limit, Consumer<String> seen) {
    ApiResponse answer = answer(request);
    if (answer.status() == TOO_LARGE && answer.body().contains(limit)) {
      seen.accept("refused");
      return "";
    }
    return difference(request, answer, seen);
  }

  private ApiResponse answer(JsonNode request) {
    return api.respond(ApiCall.of("POST", "/api/query", request.toString()));
  }

  private String difference(JsonNode request, ApiResponse answer, Consumer<String> seen) {
    List<Result> expected;
    try {
      expected = reference.answer(request);
    } catch (ArithmeticException e) {
      seen.accept("infinite");
      return answer.status() == BAD_REQUEST && answer.body().contains(INFINITE)
          ? ""
          : "an infinite result is answered: " + answer.body();
    }
    if (answer.status() != OK) {
      return "not answered: " + answer;
    }
    try {
      List<Result> results = Result.parse(answer.body());
      results.forEach(result -> result.tell(seen));
      return difference(expected, results);
    } catch (IOException e) {
      throw new UncheckedIOException(answer.body(), e);
    }
  }

  private static String difference(List<Result> expected, List<Result> results) {
    for (int i = 0; i < Math.min(expected.size(), results.size()); i++) {
      if (!expected.get(i).equals(results.get(i))) {
        return "result " + i + ": " + expected.get(i).difference(results.get(i));
      }
    }
    return expected.size() == results.size()
        ? ""
        : results.size() + " results and not " + expected.size() + ": " + results;
  }
}
