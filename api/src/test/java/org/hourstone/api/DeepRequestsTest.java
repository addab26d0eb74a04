package org.hourstone.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiResponse;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * What a client nests or repeats takes no stack without a bound: it is refused as the client's
 * error, or answered.
 */
class DeepRequestsTest extends ApiCase {
  private static final int DEEP = 60_000;

  private static final List<String> JSON_BODIES =
      List.of(
          "[".repeat(DEEP),
          "[".repeat(DEEP) + "]".repeat(DEEP),
          "{\"a\":".repeat(DEEP) + "1" + "}".repeat(DEEP),
          "{\"description\":\"d\",\"startTime\":1500001200,\"custom\":"
              + "{\"a\":".repeat(DEEP)
              + "1"
              + "}".repeat(DEEP)
              + "}",
          "{\"metric\":\"m\",\"timestamp\":1500001200,\"value\":1,\"tags\":{\"a\":"
              + "[".repeat(DEEP)
              + "]".repeat(DEEP)
              + "}}",
          "{\"start\":1500001200,\"queries\":[{\"metric\":\"m\",\"aggregator\":\"sum\",\"filters\":"
              + "[".repeat(DEEP)
              + "]".repeat(DEEP)
              + "}]}",
          query("regexp", "(".repeat(DEEP) + ")".repeat(DEEP)),
          query("regexp", "(a|".repeat(DEEP) + "b" + ")".repeat(DEEP)),
          query("regexp", "a?".repeat(DEEP)),
          query("regexp", "[a".repeat(DEEP)),
          query("regexp", "[a&&".repeat(DEEP)),
          query("regexp", "(a|b)*" + "c".repeat(DEEP)),
          query("wildcard", "*a".repeat(DEEP)),
          query("literal_or", "a|".repeat(DEEP)),
          query("not_literal_or", "a|".repeat(DEEP)),
          formulas(chain(255)),
          formulas(List.of("a" + "+a".repeat(DEEP))),
          formulas(List.of("(".repeat(DEEP) + "a" + ")".repeat(DEEP))),
          formulas(List.of("-".repeat(DEEP) + "a")),
          formulas(List.of("!".repeat(DEEP) + "a")),
          formulas(List.of("a" + "?a:a".repeat(DEEP))),
          "{\"treeId\":1,\"level\":0,\"order\":0,\"type\":\"metric\",\"regex\":\""
              + "(".repeat(DEEP)
              + ")".repeat(DEEP)
              + "\"}",
          "9".repeat(DEEP),
          "{\"start\":" + "9".repeat(DEEP) + "}",
          "\\".repeat(DEEP));

  private static final List<String> POSTED =
      List.of(
          "/api/put?details",
          "/api/rollup?details",
          "/api/histogram?details",
          "/api/query",
          "/api/query/exp",
          "/api/query/last",
          "/api/annotation",
          "/api/annotation/bulk",
          "/api/search/lookup",
          "/api/suggest",
          "/api/tree",
          "/api/tree/rule",
          "/api/tree/rules",
          "/api/uid/assign",
          "/api/uid/rename",
          "/api/uid/tsmeta",
          "/api/uid/uidmeta",
          "/api/tree/test",
          "/api/tree/collisions");

  private static final Map<String, String> ASKED =
      Map.ofEntries(
          Map.entry("nested functions", "/api/query/gexp?exp=" + nested("scale(", ",2)")),
          Map.entry("open functions", "/api/query/gexp?exp=" + nested("scale(", "")),
          Map.entry("sums", "/api/query/gexp?exp=" + nested("sumSeries(m,", ")")),
          Map.entry("braces", "/api/query?m=sum:m" + nested("{", "}")),
          Map.entry("open braces", "/api/query?m=sum:m" + nested("{a=", "")),
          Map.entry("regular expression", "/api/query?m=sum:m" + in("a=regexp", "(", ")")),
          Map.entry("choices", "/api/query?m=sum:m" + in("a=regexp", "(a|b", ")*")),
          Map.entry("wildcards", "/api/query?m=sum:m{a=" + nested("*a", "") + "}"),
          Map.entry("stars", "/api/query?m=sum:m{a=" + nested("*", "") + "}"),
          Map.entry("values", "/api/query?m=sum:m{a=" + nested("b|", "") + "}"),
          Map.entry("tags", "/api/query?m=sum:m{" + nested("a=b,", "") + "}"),
          Map.entry("parts", "/api/query?m=" + nested("sum:", "m")),
          Map.entry("rate", "/api/query?m=sum:rate{" + nested("counter,", "") + "}:m"),
          Map.entry("interval", "/api/query?m=sum:" + nested("1h-", "") + ":m"),
          Map.entry("digits", "/api/query?m=sum:" + nested("9", "h-avg") + ":m"),
          Map.entry("percentiles", "/api/query?m=sum:percentiles[" + nested("1,", "") + "]:m"),
          Map.entry("explicit", "/api/query?m=sum:explicit_tags:" + nested("{a=b}", "")),
          Map.entry("plot", "/q?m=sum:m&o=" + nested("axis ", "") + "&png"),
          Map.entry("lookup", "/api/search/lookup?m=m{" + nested("a=*,", "") + "}"),
          Map.entry("lookup braces", "/api/search/lookup?m=m" + nested("{", "}")),
          Map.entry("cardinality", "/api/cardinality?m=m{" + nested("a=*,", "") + "}"),
          Map.entry("last", "/api/query/last?timeseries=m" + nested("{", "}")),
          Map.entry("tsuid", "/api/query?tsuid=sum:" + nested("000001,", "")),
          Map.entry("function", "/api/aggregators?jsonp=" + nested("a.", "a")),
          Map.entry("path", "/api" + "/x".repeat(DEEP)),
          Map.entry("path of tree", "/api/tree/branch?branch=" + nested("0", "")),
          Map.entry("time", "/api/query?m=sum:m&start=" + nested("1", "")),
          Map.entry("date", "/api/query?m=sum:m&start=" + nested("2015/", "")),
          Map.entry("zone", "/api/query?m=sum:m&tz=" + nested("Europe/", "")));

  private static String nested(String open, String close) {
    return encoded(open.repeat(DEEP) + "m" + close.repeat(DEEP));
  }

  private static String in(String filter, String open, String close) {
    return encoded("{" + filter + "(" + open.repeat(DEEP) + close.repeat(DEEP) + ")}");
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private static String query(String type, String filter) {
    return "{\"start\":1500001200,\"end\":1500001300,\"queries\":[{\"metric\":\"m\","
        + "\"aggregator\":\"sum\",\"filters\":[{\"type\":\""
        + type
        + "\",\"tagk\":\"host\",\"groupBy\":true,\"filter\":\""
        + filter
        + "\"}]}]}";
  }

  /** Each uses the one before. */
  private static List<String> chain(int length) {
    return IntStream.range(0, length).mapToObj(i -> i == 0 ? "a" : "f" + (i - 1) + "+a").toList();
  }

  private static String formulas(List<String> formulas) {
    return IntStream.range(0, formulas.size())
        .mapToObj(i -> "{\"id\":\"f" + i + "\",\"expr\":\"" + formulas.get(i) + "\"}")
        .collect(
            Collectors.joining(
                ",",
                "{\"time\":{\"start\":\"1500001200\",\"end\":\"1500001300\",\"aggregator\":\"sum\"},"
                    + "\"metrics\":[{\"id\":\"a\",\"metric\":\"m\"}],\"expressions\":[",
                "]}"));
  }

  @Override
  void putPoints() {
    putThreeSeries();
    put("m 1500001210 3 host=" + "a".repeat(5_000));
    api.respond(ApiCall.of("POST", "/api/tree", "{\"name\":\"t\"}"));
  }

  private static void check(ApiResponse response) {
    assertThat(response.status()).as(response.body()).isNotEqualTo(500);
  }

  @TestFactory
  List<DynamicTest> deepBodiesAreNoErrorsOfTheServer() {
    return POSTED.stream()
        .map(
            uri ->
                DynamicTest.dynamicTest(
                    uri,
                    () -> {
                      for (String body : JSON_BODIES) {
                        check(api.respond(ApiCall.of("POST", uri, body)));
                      }
                    }))
        .toList();
  }

  @TestFactory
  List<DynamicTest> deepQueryStringsAreNoErrorsOfTheServer() {
    return ASKED.entrySet().stream()
        .map(
            asked ->
                DynamicTest.dynamicTest(
                    asked.getKey(),
                    () -> {
                      String range = (asked.getValue().contains("?") ? "&" : "?") + RANGE;
                      check(api.respond(ApiCall.of("GET", asked.getValue() + range, "")));
                    }))
        .toList();
  }
}
