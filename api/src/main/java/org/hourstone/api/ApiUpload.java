package org.hourstone.api;

import org.hourstone.api.put.StreamedPut;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiException;
import org.hourstone.api.request.ApiResponse;
import org.jspecify.annotations.Nullable;

/**
 * A request whose body is handled while it arrives, in memory that does not depend on its size. A
 * transport adds the body's bytes, any number at a time, and sends the first response that it gets;
 * nothing may be added after that. Blocks while points are written. For one thread at a time.
 */
public final class ApiUpload {
  /** A body of at most this number of bytes is handled as a whole, as by {@link Api#respond}. */
  public static final int WHOLE_BYTES = 1 << 20;

  private final Api api;
  private final ApiCall call;
  private @Nullable StreamedPut put;

  ApiUpload(Api api, ApiCall call) {
    this.api = api;
    this.call = call;
  }

  /**
   * Adds bytes of the body.
   *
   * @return null, or an error if the rest is not needed
   */
  public @Nullable ApiResponse add(byte[] utf8, int from, int to) {
    try {
      begun().add(utf8, from, to);
      return null;
    } catch (RuntimeException | OutOfMemoryError e) {
      return failed(e);
    }
  }

  /** The response to the request, whose body was added completely. */
  public ApiResponse end() {
    try {
      return api.presented(call, begun().response());
    } catch (RuntimeException | OutOfMemoryError e) {
      return failed(e);
    }
  }

  /**
   * The response if the rest of the body can't be received. It has the number of points stored, and
   * another status if the store or the server failed at some.
   *
   * @param details more than the message; may be empty
   */
  public ApiResponse brokenOff(int status, String message, String details) {
    ApiException e = new ApiException(status, message, details);
    return failed(put == null ? e : put.explained(e));
  }

  private ApiResponse failed(Throwable e) {
    return api.presented(call, api.failed(e, call.client()));
  }

  private StreamedPut begun() {
    if (put == null) {
      put = api.begin(call);
    }
    return put;
  }

  /** The number of bytes it buffers until more are added. */
  public long heldBytes() {
    return put == null ? 0 : put.heldBytes();
  }
}
