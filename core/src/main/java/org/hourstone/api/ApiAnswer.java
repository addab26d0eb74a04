package org.hourstone.api;

import org.hourstone.internal.Json;

/**
 * An answer of the HTTP API.
 *
 * @param status of HTTP
 * @param body JSON; empty for none
 */
public record ApiAnswer(int status, String body) {
  static final int OK = 200;
  static final int NO_CONTENT = 204;
  static final int NOT_MODIFIED = 304;

  static ApiAnswer ok(Object json) {
    return of(OK, json);
  }

  static ApiAnswer of(int status, Object json) {
    return new ApiAnswer(status, Json.text(json));
  }

  static ApiAnswer noContent() {
    return new ApiAnswer(NO_CONTENT, "");
  }

  /** There was nothing to change. */
  static ApiAnswer notModified() {
    return new ApiAnswer(NOT_MODIFIED, "");
  }
}
