package org.hourstone.testing.golden;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.HashSet;
import java.util.Set;
import org.hourstone.api.request.ApiResponse;

/**
 * Compares the response of a server with that of OpenTSDB to the same request, by the rules for
 * recorded requests.
 */
public final class SameAnswer {
  private static final ObjectMapper JSON = new ObjectMapper();

  private SameAnswer() {}

  /**
   * @param uri path and query string of the request, as they were sent
   * @return how ours differs; empty if it doesn't
   */
  public static String difference(
      String method,
      String uri,
      String body,
      RequestPort.Response theirs,
      RequestPort.Response ours) {
    if (theirs.body().startsWith("<!DOCTYPE")) { // the pages are our own
      return theirs.status() / 100 == ours.status() / 100
          ? ""
          : theirs.status() + ", answered " + ours;
    }
    String path = uri.replaceFirst("\\?.*", "").replaceFirst("^/api/v1/", "/api/");
    String type = ServerRequests.typeDifference(theirs.contentType(), ours);
    ObjectNode recorded =
        JsonNodeFactory.instance
            .objectNode()
            .put("method", method)
            .put("path", uri)
            .put("status", theirs.status())
            .put("response", HttpSequence.comparable(path, theirs.body()));
    recorded.set("body", parsed(body));
    ApiResponse answer = new ApiResponse(ours.status(), HttpSequence.comparable(path, ours.body()));
    String difference =
        path.equals(HttpSequence.IN_ANY_ORDER) || path.equals("/api/uid/tsmeta")
            ? QueryComparison.differenceInAnyOrder(recorded, answer)
            : QueryComparison.difference(recorded, answer);
    return difference.isEmpty() ? type : difference;
  }

  /** How replies of telnet differ; empty if they don't. */
  public static String ofTelnet(String theirs, String ours) {
    String then = ServerRequests.ownVersion(theirs);
    String now = ServerRequests.ownVersion(ours);
    return then.equals(now) ? "" : "recorded " + theirs + ", answered " + ours;
  }

  /** All annotations of series in a response. */
  public static Set<JsonNode> annotations(String body) {
    Set<JsonNode> annotations = new HashSet<>();
    parsed(body).findValues("annotations").forEach(list -> list.forEach(annotations::add));
    return annotations;
  }

  /** A response without members of a name, and without results that have no name. */
  public static String without(String member, String body) {
    JsonNode json = parsed(body);
    json.findParents(member).forEach(object -> ((ObjectNode) object).remove(member));
    if (json instanceof ArrayNode results) {
      for (int i = results.size() - 1; i >= 0; i--) {
        if (results.get(i).path("metric").asText("-").isEmpty()) {
          results.remove(i);
        }
      }
    }
    return json.toString();
  }

  /** A response without annotations of series, and without results that have no points. */
  public static String withoutEmpty(String body) {
    JsonNode json = parsed(without("annotations", body));
    if (json instanceof ArrayNode results) {
      for (int i = results.size() - 1; i >= 0; i--) {
        if (results.get(i).path("dps").isEmpty()) {
          results.remove(i);
        }
      }
    }
    return json.toString();
  }

  /** The message of an error; the whole text if it has none. */
  public static String message(String body) {
    return parsed(body).at("/error/message").asText(body);
  }

  private static JsonNode parsed(String body) {
    try {
      JsonNode json = JSON.readTree(body);
      return json.isContainerNode() ? json : TextNode.valueOf(body);
    } catch (JsonProcessingException e) {
      return TextNode.valueOf(body);
    }
  }
}
