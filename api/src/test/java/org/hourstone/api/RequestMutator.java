package org.hourstone.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.IntUnaryOperator;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * Makes requests for every endpoint and telnet command from valid ones, by changing words of their
 * text and values of their JSON.
 */
final class RequestMutator {
  /** The method LINE is a telnet line. */
  record Request(String method, String uri, String body) {
    @Override
    public String toString() {
      return method + " " + uri + (body.isEmpty() ? "" : "\n" + body);
    }
  }

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Pattern WORD = Pattern.compile("[A-Za-z0-9_.*|-]+");
  private static final List<String> METHODS =
      List.of("GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS", "NONE");

  /** What is not expected in a text. */
  private static final List<String> TEXTS =
      List.of(
          "",
          "0",
          "-0",
          "-1",
          "1",
          "00",
          "null",
          "true",
          "NaN",
          "-Infinity",
          "1e400",
          "1e-400",
          "9223372036854775807",
          "9223372036854775808",
          "-9223372036854775809",
          "2147483648",
          "99999999999999999999",
          "1.5",
          "0x10",
          "1500001400.5",
          "1500001400.123456",
          "[]",
          "{}",
          "\"",
          "\\",
          "\\u0000",
          "\u0000",
          "\n",
          "\r\n",
          "\u00e9",
          "\u65e5\u672c",
          "\ud83d\ude00",
          "\ud800",
          "\ufeff",
          "%00",
          "%",
          "%zz",
          "%ff%fe",
          "<b>",
          "'",
          "*",
          "**",
          "a|b",
          "(",
          ")",
          "((((",
          "{",
          "}",
          "{{",
          "[",
          "regexp(",
          "regexp(()",
          "regexp((a+)+$)",
          "wildcard(",
          "wildcard()",
          "not_key()",
          "iliteral_or(|)",
          "literal_or(||)",
          "1h-ago",
          "0s-ago",
          "1y-ago",
          "99999999999n-ago",
          "-5m",
          "now",
          "2017/13/45",
          "2017/01/01-25:61",
          "2017-07-14T03:00:00.5Z",
          "1ms-avg",
          "0s-sum",
          "0all-sum",
          "all-sum",
          "1n-avg",
          "1dc-sum",
          "1h-avg-",
          "1h-foo",
          "1h-avg-zero",
          "..",
          ";",
          "&",
          "=",
          "..;/",
          "%2f",
          "//",
          "/",
          "?",
          "#",
          "+",
          " ",
          "\t",
          ":",
          ",",
          "sum",
          "none",
          "p999",
          "mimmax",
          "rate{",
          "rate{counter",
          "rate{,,}",
          "rate{counter,0,0}",
          "000001",
          "zz",
          "0000010000010000",
          "1970/01/01",
          "4294967296",
          "99999999999999",
          "UTC",
          "Foo/Bar",
          "+25:00",
          "method_override=POST",
          "jsonp=f");

  /** What is not expected in JSON. */
  private static final List<String> VALUES =
      List.of(
          "null",
          "true",
          "false",
          "0",
          "-1",
          "1",
          "1.5",
          "1e308",
          "1e999",
          "1e-999",
          "-0.0",
          "1000000000000000000000000000000",
          "9223372036854775808",
          "2147483648",
          "\"\"",
          "[]",
          "{}",
          "[[]]",
          "{\"a\":null}",
          "[null]",
          "[[1],{}]",
          "\"NaN\"",
          "\"\\u0000\"",
          "\"\\ud800\"",
          "\"*\"",
          "\"now\"",
          "\"-1\"",
          "\"1500001400.5\"",
          "1500001400.5",
          "\"2017-07-14\"");

  private static final List<String> AFTER =
      List.of(
          " ", "\n", "{}", "[]", " x", ",", "]", "}", "5", "null", "\u0000", "\n{\"metric\":1}");

  private static final List<String> REQUESTS = requests();

  private final IntUnaryOperator choices;

  /**
   * @param choices a number from 0 to below a given one, the next at each call
   */
  RequestMutator(IntUnaryOperator choices) {
    this.choices = choices;
  }

  private static List<String> requests() {
    try (InputStream in = RequestMutator.class.getResourceAsStream("requests.txt")) {
      return new String(Objects.requireNonNull(in).readAllBytes(), UTF_8).lines().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The valid requests. */
  static List<Request> valid() {
    return REQUESTS.stream().map(RequestMutator::parse).toList();
  }

  private static Request parse(String line) {
    if (line.startsWith("LINE ")) {
      return new Request("LINE", line.substring(5), "");
    }
    String[] parts = line.split(" ", 3);
    return new Request(parts[0], parts[1], parts.length < 3 ? "" : parts[2]);
  }

  /** The next request: a valid one, changed in some places. */
  Request next() {
    Request request = parse(one(REQUESTS));
    String method = request.method();
    String uri = request.uri();
    String body = request.body();
    for (int i = below(4); i >= 0; i--) {
      int what = below(20);
      if (what == 0 && !method.equals("LINE")) {
        method = one(METHODS);
      } else if (what < 10 && !body.isEmpty()) {
        body = changedJson(body);
      } else if (what == 10 && !body.isEmpty()) {
        body = changed(body);
      } else if (what == 11) {
        body = body + one(AFTER);
      } else if (what == 12) {
        body = parse(one(REQUESTS)).body();
      } else {
        uri = changed(uri);
      }
    }
    return new Request(method, uri, body);
  }

  private int below(int bound) {
    return choices.applyAsInt(bound);
  }

  private <T> T one(List<T> of) {
    return of.get(below(of.size()));
  }

  private String changed(String text) {
    int at = below(text.length() + 1);
    return switch (below(6)) {
      case 0, 1 -> {
        List<MatchResult> words = WORD.matcher(text).results().toList();
        if (words.isEmpty()) {
          yield text + one(TEXTS);
        }
        MatchResult word = one(words);
        yield text.substring(0, word.start()) + one(TEXTS) + text.substring(word.end());
      }
      case 2 -> text.substring(0, at) + one(TEXTS) + text.substring(at);
      case 3 -> text.substring(0, at) + text.substring(Math.min(text.length(), at + 1 + below(8)));
      case 4 -> text.substring(0, at);
      default -> text.substring(0, at) + text.substring(Math.max(0, at - 1 - below(40)));
    };
  }

  private String changedJson(String body) {
    JsonNode root;
    try {
      root = JSON.readTree("[" + body + "]");
    } catch (IOException e) {
      return changed(body);
    }
    List<JsonNode> parents = new ArrayList<>();
    collect(root, parents);
    JsonNode parent = one(parents);
    if (parent.isEmpty()) {
      return body;
    }
    String text = below(5) == 0 ? text(one(TEXTS)) : one(VALUES);
    if (parent instanceof ArrayNode array) {
      change(array, below(array.size()), text);
    } else {
      change((ObjectNode) parent, text);
    }
    String all = String.valueOf(root);
    return all.substring(1, all.length() - 1);
  }

  private static void collect(JsonNode node, List<JsonNode> parents) {
    if (node.isContainerNode()) {
      parents.add(node);
      node.forEach(child -> collect(child, parents));
    }
  }

  private void change(ArrayNode array, int i, String other) {
    switch (below(4)) {
      case 0 -> array.remove(i);
      case 1 -> array.add(array.get(i));
      case 2 -> array.insertRawValue(i, new RawValue(other));
      default -> array.set(i, raw(other));
    }
  }

  private void change(ObjectNode object, String other) {
    String name = one(List.copyOf(object.properties())).getKey();
    JsonNode value = object.get(name);
    switch (below(6)) {
      case 0 -> object.remove(name);
      case 1 -> object.set(one(TEXTS), value);
      case 2 -> object.putArray(name).add(value);
      default -> object.set(name, raw(other));
    }
  }

  private static JsonNode raw(String json) {
    return JSON.getNodeFactory().rawValueNode(new RawValue(json));
  }

  private static String text(String text) {
    return JSON.getNodeFactory().textNode(text).toString();
  }
}
