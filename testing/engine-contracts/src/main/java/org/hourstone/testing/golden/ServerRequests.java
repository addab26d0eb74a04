package org.hourstone.testing.golden;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Compares what a server answers about itself with what was recorded: its status, the type of
 * content, and the shape of JSON, that is the fields and the types of their values.
 */
final class ServerRequests {
  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * Web pages, which are our own, with their statuses. OpenTSDB had no icon to serve, and calls a
   * path outside of its directory of files a wrong request.
   */
  private static final Map<String, Integer> PAGES =
      Map.of(
          "root", 200,
          "favicon", 200,
          "nosuch", 404,
          "dropcaches-plain", 404,
          "static-missing", 404,
          "static-dotdot", 404);

  /**
   * Not compared: what OpenTSDB says of its client of HBase and of its log's configuration; the
   * statistics of queries, of which Hourstone has the running ones elsewhere; another method for a
   * request that has but one.
   */
  private static final Set<String> ANSWERED_OTHERWISE =
      Set.of("stats-region-clients", "logs", "stats-query", "method-override");

  /** Maps, whose keys are data. */
  private static final Set<String> MAPS = Set.of("config", "tags", "stats-threads");

  private ServerRequests() {}

  /**
   * How the type of content differs from the recorded one; the character set may be added. OpenTSDB
   * calls a script JSON, which a browser doesn't execute where content is not sniffed.
   */
  static String typeDifference(String recorded, RequestPort.Response response) {
    String then = recorded.replaceFirst(";.*", "");
    String now = response.contentType().replaceFirst(";.*", "");
    return then.isEmpty() || then.equals(now) || now.equals("application/javascript")
        ? ""
        : "content type: recorded " + recorded + ", answered " + response.contentType();
  }

  static String difference(JsonNode request, RequestPort.Response response) {
    String name = request.path("name").asText();
    if (ANSWERED_OTHERWISE.contains(name)) {
      return "";
    }
    if (request.has("failed")) { // without an answer
      return statusDifference(400, response);
    }
    Integer page = PAGES.get(name);
    if (page != null) {
      return statusDifference(page, response);
    }
    String status = statusDifference(request.path("status").asInt(), response);
    String type =
        typeDifference(request.path("response_headers").path("Content-Type").asText(), response);
    if (!status.isEmpty() || !type.isEmpty()) {
      return status + type;
    }
    if (name.equals("q-graph-ascii")) {
      String lines = request.path("response").asText();
      return lines.equals(response.body())
          ? ""
          : "recorded " + lines + ", answered " + response.body();
    }
    JsonNode then = parsed(request.path("response").asText());
    JsonNode now = parsed(response.body());
    if (then == null) {
      return response.body().isEmpty() ? "nothing answered" : "";
    }
    return now == null ? "no JSON: " + response.body() : shapeDifference(name, then, now);
  }

  private static String statusDifference(int expected, RequestPort.Response response) {
    return response.status() == expected
        ? ""
        : "status: " + expected + ", answered " + response.status() + " " + response.body();
  }

  private static @Nullable JsonNode parsed(String text) {
    try {
      return JSON.readTree(text);
    } catch (JsonProcessingException e) {
      return null; // plain text, or left out of the recording
    }
  }

  private static String shapeDifference(String place, JsonNode then, JsonNode now) {
    if (then.getNodeType() != now.getNodeType()) {
      return place + ": recorded " + then + ", answered " + now;
    }
    if (then.isArray() && !then.isEmpty()) {
      return now.isEmpty()
          ? place + ": empty"
          : shapeDifference(place + "[]", then.get(0), now.get(0));
    }
    if (MAPS.contains(place.replaceFirst(".*\\.", ""))) {
      return "";
    }
    for (Map.Entry<String, JsonNode> field : then.properties()) {
      JsonNode answered = now.get(field.getKey());
      String in = place + "." + field.getKey();
      if (answered == null) {
        return in + " is missing in " + now;
      }
      String difference = shapeDifference(in, field.getValue(), answered);
      if (!difference.isEmpty()) {
        return difference;
      }
    }
    return "";
  }

  /** Replies in which versions, counters and the set of commands are our own. */
  static String telnetDifference(JsonNode request, String replies) {
    String then = ownVersion(request.path("response").asText());
    String now = ownVersion(replies);
    String name = request.path("name").asText();
    boolean alike =
        switch (name) {
          case "telnet-stats" -> now.startsWith(then.substring(0, then.indexOf(' ') + 1));
          case "telnet-help" -> now.startsWith("available commands: ");
          case "telnet-put-upper" -> true; // HTTP, by its first byte
          default -> then.equals(now);
        };
    return alike ? "" : name + ": recorded " + then + ", answered " + replies;
  }

  /** OpenTSDB's version has two lines, ours has one. */
  static String ownVersion(String replies) {
    return replies
        .replaceAll("(?m)^net\\.opentsdb\\..*\n.*\n", "VERSION\n")
        .replaceAll("(?m)^hourstone .*\n", "VERSION\n");
  }
}
