package org.hourstone.api;

import static org.assertj.core.api.Assertions.assertThat;

import org.hourstone.TsdbOptions;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiResponse;

/** Requests to {@code /api/query} of three series. */
abstract class QueryCase extends ApiCase {
  @Override
  final void putPoints() {
    putThreeSeries();
  }

  /** The same points in a database with all of OpenTSDB's defaults. */
  final void openStrictly() {
    close();
    open(TsdbOptions.openTsdbDefaults());
  }

  final ApiResponse get(String uri) {
    return api.respond(ApiCall.of("GET", uri, ""));
  }

  final ApiResponse post(String body) {
    return api.respond(ApiCall.of("POST", "/api/query", body.replace('\'', '"')));
  }

  final String query(String parameters) {
    ApiResponse response = get("/api/query?" + RANGE + "&" + parameters);
    assertThat(response.status()).describedAs(response.toString()).isEqualTo(200);
    return response.body();
  }

  /** A body of one query, with more fields of the request and of the query. */
  static String body(String request, String query) {
    return "{'start':1500001200,'end':1500001300,"
        + request
        + "'queries':[{'aggregator':'sum','metric':'m'"
        + query
        + "}]}";
  }
}
