package org.hourstone.testing.beside;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.ArrayList;
import java.util.List;
import org.hourstone.testing.reference.Features;

/** Spoils a request that was right. */
record Mutation(Draw draw) {
  private static final List<String> OF_PARAMETERS =
      List.of(
          "parameter-left-out", "parameter-twice", "parameter-without-value", "parameter-garbled");
  private static final List<String> OF_BODIES =
      List.of(
          "field-left-out",
          "field-null",
          "field-of-other-type",
          "field-garbled",
          "body-cut",
          "body-garbled",
          "body-empty",
          "body-twice");
  private static final List<String> OF_REQUESTS = List.of("method", "path", "version");
  private static final String SIGNS = "{}[]():,|*-\"'\\ax09.%é=";
  private static final ObjectMapper JSON = new ObjectMapper();

  static void declare(Features features) {
    features.know("malformed", OF_PARAMETERS);
    features.know("malformed", OF_BODIES);
    features.know("malformed", OF_REQUESTS);
  }

  Request of(Request right) {
    if (draw.once(8)) {
      return ofRequest(right);
    }
    if (right.body().isEmpty() && right.parameters().isEmpty()) {
      return ofRequest(right);
    }
    return right.body().isEmpty() ? ofParameters(right) : ofBody(right);
  }

  private static Request changed(Request right, List<Request.Parameter> parameters, String body) {
    return Request.of(
        right.kind() + Request.MALFORMED, right.method(), right.path(), parameters, body);
  }

  private Request ofRequest(Request right) {
    String path = right.path();
    String method = right.method();
    switch (draw.feature("malformed", OF_REQUESTS)) {
      case "method" -> method = draw.one(List.of("PUT", "DELETE", "POST", "GET"));
      case "version" ->
          path = path.replace("/api/", draw.one(List.of("/api/v1/", "/api/v2/", "/api/vx/")));
      default -> path += draw.one(List.of("/x", "/"));
    }
    if (method.equals("DELETE") && !path.matches("/api/(query|suggest|search/lookup)")) {
      method = "PUT"; // nothing is deleted that others ask for
    }
    return Request.of(
        right.kind() + Request.MALFORMED, method, path, right.parameters(), right.body());
  }

  private Request ofParameters(Request right) {
    List<Request.Parameter> parameters = new ArrayList<>(right.parameters());
    int at = draw.below(parameters.size());
    Request.Parameter old = parameters.get(at);
    switch (draw.feature("malformed", OF_PARAMETERS)) {
      case "parameter-left-out" -> parameters.remove(at);
      case "parameter-twice" -> parameters.add(old);
      case "parameter-without-value" -> parameters.set(at, Request.flag(old.name()));
      default ->
          parameters.set(at, new Request.Parameter(old.name(), old.value().map(this::garbled)));
    }
    return changed(right, parameters, "");
  }

  private Request ofBody(Request right) {
    String body = right.body();
    String how = draw.feature("malformed", OF_BODIES);
    if (how.equals("field-null") && right.path().matches("/api/(annotation|uid).*")) {
      how = "field-left-out"; // OpenTSDB stores null, and returns it ever after
    }
    String spoilt =
        switch (how) {
          case "body-cut" -> body.substring(0, draw.below(body.length()));
          case "body-garbled" -> garbled(body);
          case "body-empty" -> draw.one(List.of("", "{}", "[]", "null", "1", "\"x\""));
          case "body-twice" -> body + body;
          default -> ofField(body, how);
        };
    return changed(right, right.parameters(), spoilt);
  }

  private String ofField(String body, String how) {
    try {
      JsonNode json = JSON.readTree(body);
      List<ObjectNode> objects = new ArrayList<>();
      collect(json, objects);
      if (objects.isEmpty()) {
        return body;
      }
      ObjectNode in = draw.one(objects);
      List<String> names = new ArrayList<>();
      in.fieldNames().forEachRemaining(names::add);
      String name = draw.one(names);
      switch (how) {
        case "field-left-out" -> in.remove(name);
        case "field-null" -> in.set(name, NullNode.instance);
        case "field-of-other-type" ->
            in.set(
                name,
                draw.one(
                    List.<JsonNode>of(
                        IntNode.valueOf(7),
                        TextNode.valueOf("x"),
                        JSON.createArrayNode(),
                        JSON.createObjectNode(),
                        JSON.createArrayNode().add("a"))));
        default -> in.put(name, garbled(in.get(name).asText()));
      }
      return json.toString();
    } catch (JsonProcessingException e) {
      throw new AssertionError(body, e);
    }
  }

  private static void collect(JsonNode json, List<ObjectNode> objects) {
    if (json instanceof ObjectNode object && !object.isEmpty()) {
      objects.add(object);
    }
    if (json instanceof ObjectNode || json instanceof ArrayNode) {
      json.forEach(part -> collect(part, objects));
    }
  }

  /** With a character left out, put in or replaced. */
  private String garbled(String text) {
    int at = draw.below(text.length() + 1);
    String sign = String.valueOf(SIGNS.charAt(draw.below(SIGNS.length())));
    int how = draw.below(3);
    int end = how == 0 ? at : Math.min(at + 1, text.length());
    return text.substring(0, at) + (how == 1 ? "" : sign) + text.substring(end);
  }
}
