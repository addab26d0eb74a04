package org.hourstone.server;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A static file, or a short text that the server itself answers with.
 *
 * @param headers of the response, but for those of its content
 */
record Page(int status, String contentType, byte[] content, Map<String, String> headers) {
  private static final String TAG = "etag";

  /** Whether the client has it already, by the header {@code If-None-Match}; null for none. */
  boolean isKnown(@Nullable String tags) {
    String own = headers.get(TAG);
    return own != null && tags != null && tags.contains(own);
  }
}
