package org.hourstone.api;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hourstone.internal.Json;

/**
 * Error texts for a query's JSON that can't be read. OpenTSDB binds it to classes and responds with
 * the binder's message, which names classes, quotes the text and gives the column. In strict mode
 * the same message is built from the request.
 */
final class BodyErrors {
  private static final String MESSAGE = "Unable to parse the given JSON";
  private static final String BINDER = "com.fasterxml.jackson.databind.";
  private static final String QUERY = "net.opentsdb.core.TSQuery";
  private static final String SUB_QUERY = "net.opentsdb.core.TSSubQuery";
  private static final String FILTER = "net.opentsdb.query.filter.TagVFilter$Builder";
  private static final int MOST_QUOTED = 500;
  private static final Pattern REDACTED = Pattern.compile("Source: REDACTED \\([^)]*\\)");
  private static final Pattern FILTER_PLACE =
      Pattern.compile("queries\\[(\\d+)\\]\\.(\\w+)(?:\\[(\\d+)\\])?");

  private final String text;
  private final boolean openTsdb;

  BodyErrors(String text, boolean openTsdb) {
    this.text = text;
    this.openTsdb = openTsdb;
  }

  /** There is nothing. */
  ApiException missing() {
    return new ApiException(
        ApiException.BAD_REQUEST,
        "Missing message content",
        "Supply valid JSON formatted data in the body of your request");
  }

  /** It is JSON's null. */
  ApiException nothing() {
    return openTsdb
        ? ApiException.internal("An internal null pointer exception was thrown")
        : new ApiException(ApiException.BAD_REQUEST, MESSAGE, "not an object, but null");
  }

  /** It is no JSON. */
  ApiException notJson(JsonProcessingException e) {
    return new ApiException(
        ApiException.BAD_REQUEST, MESSAGE, openTsdb ? parserComplaint(e) : Json.complaint(e));
  }

  /** OpenTSDB's parser quotes the text, and reports its end one column too far. */
  private String parserComplaint(JsonProcessingException e) {
    String complaint =
        REDACTED.matcher(e.getOriginalMessage()).replaceAll(Matcher.quoteReplacement(source()));
    JsonLocation location = e.getLocation();
    int line = location == null ? 1 : location.getLineNr();
    int column = location == null ? 1 : location.getColumnNr();
    return e.getClass().getName()
        + ": "
        + complaint
        + at(line, e instanceof JsonEOFException ? column + 1 : column);
  }

  /** The body is not an object. */
  ApiException notAnObject(String token, JsonLocation location) {
    return new ApiException(
        ApiException.BAD_REQUEST,
        MESSAGE,
        openTsdb
            ? BINDER
                + "exc.MismatchedInputException: Cannot deserialize instance of `"
                + QUERY
                + "` out of "
                + token
                + " token"
                + at(location)
            : "not an object" + where(location));
  }

  /** A value has the wrong type, such as an array instead of a text. */
  ApiException misplaced(String place, String problem, JsonLocation location) {
    return new ApiException(
        ApiException.BAD_REQUEST,
        MESSAGE,
        openTsdb
            ? BINDER + "exc.MismatchedInputException: " + problem + at(location)
            : place + ": " + problem + where(location));
  }

  /**
   * A filter is invalid.
   *
   * @param place such as {@code queries[0].filters[1]} or {@code queries[0].tags}
   * @param location where it ends
   */
  ApiException badFilter(String place, String problem, JsonLocation location) {
    if (!openTsdb) {
      return new ApiException(ApiException.BAD_REQUEST, problem, "in " + place + where(location));
    }
    String complaint =
        place.endsWith("]")
            ? "exc.InvalidDefinitionException: Cannot construct instance of `"
                + FILTER
                + "`, problem: "
                + problem
            : "JsonMappingException: " + problem;
    return new ApiException(
        ApiException.BAD_REQUEST, MESSAGE, BINDER + complaint + at(location) + chain(place));
  }

  private static String where(JsonLocation location) {
    return " (line " + location.getLineNr() + ", column " + location.getColumnNr() + ")";
  }

  private String at(JsonLocation location) {
    return at(location.getLineNr(), location.getColumnNr());
  }

  private String at(int line, int column) {
    return "\n at [" + source() + "; line: " + line + ", column: " + column + "]";
  }

  private String source() {
    int more = text.length() - MOST_QUOTED;
    return "Source: (String)\""
        + (more <= 0
            ? text + '"'
            : text.substring(0, MOST_QUOTED) + "\"[truncated " + more + " chars]");
  }

  private static String chain(String place) {
    Matcher parts = FILTER_PLACE.matcher(place);
    if (!parts.matches()) {
      return "";
    }
    String list = "java.util.ArrayList[";
    return " (through reference chain: "
        + QUERY
        + "[\"queries\"]->"
        + list
        + parts.group(1)
        + "]->"
        + SUB_QUERY
        + "[\""
        + parts.group(2)
        + "\"]"
        + (parts.group(3) == null ? "" : "->" + list + parts.group(3) + "]")
        + ")";
  }
}
