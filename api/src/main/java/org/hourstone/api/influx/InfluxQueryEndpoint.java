package org.hourstone.api.influx;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.regex.Pattern;
import org.hourstone.api.endpoint.Endpoint;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiException;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.internal.Json;
import org.hourstone.write.SingleLine;

/**
 * {@code /query}, as far as clients need it before they write: {@code SHOW DATABASES}, and {@code
 * CREATE DATABASE}, which has no effect and says so. There is one database, whatever its name.
 */
public final class InfluxQueryEndpoint implements Endpoint {
  private static final Pattern SHOW = Pattern.compile("(?i)\\s*show\\s+databases\\s*;?\\s*");
  private static final Pattern CREATE =
      Pattern.compile(
          "(?i)\\s*create\\s+database\\s+(\"([^\"\\\\]|\\\\.)*\"|\\w+)(\\s+with\\s[^;]*)?;?\\s*");

  /** So that a pattern needs little of the stack. */
  private static final int LONGEST = 500;

  @Override
  public ApiResponse respond(ApiCall call) {
    String query = call.body().isEmpty() ? call.parameter("q").orElse("") : ofForm(call);
    if (query.isBlank()) {
      throw new ApiException(ApiException.BAD_REQUEST, "missing required parameter \"q\"");
    }
    ObjectNode result = Json.object().put("statement_id", 0);
    boolean isShort = query.length() <= LONGEST;
    if (isShort && SHOW.matcher(query).matches()) {
      ObjectNode databases = result.putArray("series").addObject().put("name", "databases");
      databases.putArray("columns").add("name");
      databases.putArray("values").addArray().add("hourstone");
    } else if (isShort && CREATE.matcher(query).matches()) {
      result
          .putArray("messages")
          .addObject()
          .put("level", "info")
          .put("text", "there is one database, whatever its name: nothing was created");
    } else {
      throw new ApiException(
          ApiException.BAD_REQUEST,
          "only SHOW DATABASES and CREATE DATABASE are known here, not: "
              + SingleLine.of(query)
              + "; points are read by /api/query");
    }
    ObjectNode body = Json.object();
    body.putArray("results").add(result);
    return ApiResponse.ok(body);
  }

  /** A form may have the query; its other fields have no effect. */
  private static String ofForm(ApiCall call) {
    return ApiCall.of("POST", "/?" + call.body().strip(), "")
        .parameter("q")
        .or(() -> call.parameter("q"))
        .orElse("");
  }
}
