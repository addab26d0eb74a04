package org.hourstone.api;

/** Answers the requests to one path. Thread-safe. */
interface Endpoint {
  /**
   * @throws ApiException if the request is answered by an error
   * @throws IllegalArgumentException if the request is malformed: status 400
   */
  ApiAnswer answer(ApiCall call);
}
