package org.hourstone.api.endpoint;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiResponse;

/** An endpoint that reads the bytes of bodies, which need not be text. */
public interface BodyEndpoint extends Endpoint {
  @Override
  default ApiResponse respond(ApiCall call) {
    byte[] body = call.body().getBytes(UTF_8);
    return respond(call.withBody(""), body, body.length);
  }

  /**
   * As {@link #respond(ApiCall)}, for a body as it was received, but decompressed.
   *
   * @param call without a body
   * @param body not changed before this returns; its first bytes are the body
   * @param length of the body
   */
  ApiResponse respond(ApiCall call, byte[] body, int length);

  /** Whether its bodies may be compressed by Snappy, beside the usual encodings. */
  default boolean takesSnappy() {
    return false;
  }
}
