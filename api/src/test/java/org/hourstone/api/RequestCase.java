package org.hourstone.api;

import org.hourstone.api.request.ApiAnswer;
import org.hourstone.api.request.ApiCall;
/** Requests to an API with three series of one metric; quotes in bodies are single ones. */
public abstract class RequestCase extends ApiCase {
  @Override
  void putPoints() {
    putThreeSeries();
    db.flush();
  }

  /** The status and the body of a response. */
  final String answer(String method, String uri, String body) {
    try (ApiAnswer answer = api.answer(ApiCall.of(method, uri, body.replace('\'', '"')))) {
      return answer.status() + " " + answer.body().replace('"', '\'');
    }
  }
}
