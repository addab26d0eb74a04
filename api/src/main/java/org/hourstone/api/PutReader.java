package org.hourstone.api;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.ZoneId;
import java.util.List;
import java.util.Set;
import org.hourstone.internal.Json;
import org.jspecify.annotations.Nullable;

/**
 * How the points of a body are read.
 *
 * @param fields names of further fields to keep, in addition to those of every point
 * @param zone of dates
 */
record PutReader(Set<String> fields, BodyDialect dialect, ZoneId zone) {
  /** For points of some kind. */
  static PutReader of(PutKind kind, ApiOptions options) {
    return new PutReader(kind.fields(), options.requests().bodies(), options.timeZone());
  }

  /**
   * The points of a body, null for each {@code null} among them.
   *
   * @param first the index of its first point
   * @throws ApiException if it is not JSON, or not that of points, with the reason and the place
   */
  List<@Nullable PutPoint> read(String body, long first) {
    String text = dialect.withoutMark(body).stripLeading();
    if (text.isEmpty()) {
      throw new ApiException(ApiException.BAD_REQUEST, "Missing request content");
    }
    if (text.charAt(0) != '{' && text.charAt(0) != '[') {
      throw new ApiException(
          ApiException.BAD_REQUEST, "The JSON must start as an object or an array");
    }
    try (JsonParser json = Json.parser(dialect.withoutMark(body))) {
      return new PutBody(json, this, first).points();
    } catch (JsonProcessingException e) {
      throw RequestBody.unparsable(Json.complaint(e));
    } catch (IOException e) {
      throw new UncheckedIOException("reading from memory", e);
    }
  }
}
