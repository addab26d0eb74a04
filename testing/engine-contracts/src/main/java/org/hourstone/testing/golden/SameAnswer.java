package org.hourstone.testing.golden;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
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

  /** A response with a list in another order: that of the texts of its elements. */
  public static String sorted(String list, String body) {
    JsonNode json = parsed(body);
    List<JsonNode> elements = new ArrayList<>();
    json.path(list).forEach(elements::add);
    elements.sort(Comparator.comparing(JsonNode::toString));
    return ((ObjectNode) json).set(list, JSON.valueToTree(elements)).toString();
  }

  /** The times at which results of a name and tags have points. */
  public static Map<String, Set<String>> times(String body) {
    Map<String, Set<String>> times = new TreeMap<>();
    for (JsonNode result : parsed(body)) {
      Set<String> of =
          times.computeIfAbsent(
              result.path("metric").asText() + result.path("tags"), key -> new HashSet<>());
      result.path("dps").fieldNames().forEachRemaining(of::add);
      result.path("dps").forEach(point -> of.add(point.path(0).asText()));
    }
    return times;
  }

  /** A response whose results of one name and tags are one, with points in order of time. */
  public static String merged(String body) {
    JsonNode json = parsed(body);
    if (!(json instanceof ArrayNode results)) {
      return Arrays.stream(body.split("\n")).sorted().collect(Collectors.joining("\n"));
    }
    Map<String, ObjectNode> merged = new TreeMap<>();
    Map<String, List<String>> points = new TreeMap<>();
    for (JsonNode result : results) {
      ObjectNode rest = result.deepCopy();
      JsonNode dps = rest.remove("dps");
      String name = rest.path("metric").asText() + rest.path("tags") + rest.path("aggregateTags");
      merged.putIfAbsent(name, rest);
      List<String> all = points.computeIfAbsent(name, key -> new ArrayList<>());
      dps.properties().forEach(point -> all.add(point.getKey() + "=" + point.getValue()));
      if (dps.isArray()) {
        dps.forEach(point -> all.add(point.toString()));
      }
    }
    ArrayNode answer = JsonNodeFactory.instance.arrayNode();
    merged.forEach(
        (name, rest) -> {
          List<String> sorted = points.getOrDefault(name, List.of()).stream().sorted().toList();
          answer.add(rest.put("dps", String.join(",", sorted)));
        });
    return answer.toString();
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
