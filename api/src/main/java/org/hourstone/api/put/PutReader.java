package org.hourstone.api.put;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.hourstone.api.endpoint.ApiOptions;
import org.hourstone.api.endpoint.BodyDialect;
import org.hourstone.api.endpoint.RequestBody;
import org.hourstone.api.request.ApiException;
import org.hourstone.internal.Json;
import org.jspecify.annotations.Nullable;

/**
 * How the points of a body are read.
 *
 * @param fields names of further fields to keep, in addition to those of every point
 * @param zone of dates
 */
record PutReader(Set<String> fields, BodyDialect dialect, ZoneId zone) {
  /** The letters of the fields of any kind of points, but for one that has many meanings. */
  private static final Set<String> TELLING =
      Set.of(
          "metric",
          "timestamp",
          "value",
          "tags",
          "interval",
          "aggregator",
          "groupbyaggregator",
          "buckets",
          "underflow",
          "overflow");

  /** For points of some kind. */
  static PutReader of(PutKind kind, ApiOptions options) {
    return new PutReader(kind.fields(), options.requests().bodies(), options.timeZone());
  }

  /**
   * Whether a point means something by a field that points of this kind don't have: one of another
   * kind, or in another spelling. Collectors send others, which are ignored.
   */
  boolean isMisunderstood(String field) {
    return !dialect.takesUnknownMembers()
        && TELLING.contains(field.replaceAll("[_-]", "").toLowerCase(Locale.ROOT));
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
      return new PutBody(json, this, body.length(), first).points();
    } catch (JsonProcessingException e) {
      throw RequestBody.unparsable(Json.complaint(e));
    } catch (IOException e) {
      throw new UncheckedIOException("reading from memory", e);
    }
  }
}
