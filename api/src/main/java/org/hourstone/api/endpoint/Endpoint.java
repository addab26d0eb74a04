package org.hourstone.api.endpoint;

import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.error.RequestException;

/** Handles the requests to one path. Thread-safe. */
public interface Endpoint {
  /**
   * @throws org.hourstone.api.request.ApiException if the response is an error
   * @throws RequestException if the request is malformed: status 400
   */
  ApiResponse respond(ApiCall call);
}
