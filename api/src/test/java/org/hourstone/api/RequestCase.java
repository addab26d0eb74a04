package org.hourstone.api;

import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiResponse;

/** Requests to an API with three series of one metric; quotes in bodies are single ones. */
public abstract class RequestCase extends ApiCase {
  @Override
  void putPoints() {
    putThreeSeries();
    db.flush();
  }

  /** The status and the body of a response. */
  final String respond(String method, String uri, String body) {
    try (ApiResponse response = api.respond(ApiCall.of(method, uri, body.replace('\'', '"')))) {
      return response.status() + " " + response.body().replace('"', '\'');
    }
  }
}
