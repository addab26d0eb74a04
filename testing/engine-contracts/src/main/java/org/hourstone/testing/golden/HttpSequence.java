package org.hourstone.testing.golden;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiResponse;

/**
 * A recorded sequence of requests by HTTP and telnet, from an empty instance on. What the server
 * does is played against servers only: connections, encodings, pages, statistics and settings.
 *
 * @param withMetadata whether all metadata were written in realtime
 * @param requests in order
 */
record HttpSequence(boolean withMetadata, List<JsonNode> requests) {
  private static final Pattern ANSWERED =
      Pattern.compile(
          "/api/((v1|v2|vX)/)?(aggregators|annotation|annotations|config/filters|histogram|put"
              + "|query|rollup|search|suggest|tree|uid)(/.*)?");

  /** A line that begins with a capital letter is HTTP. */
  private static final Pattern LINE_FOR_THE_SERVER =
      Pattern.compile("([A-Z]|version|help|exit|stats|dropcaches).*");

  /**
   * OpenTSDB makes only half of the metadata of a series by name, and says that it failed or that
   * nothing was changed. Hourstone makes them, as the request asks for; what is made is found by
   * the requests that follow.
   */
  private static final Set<String> ANSWERED_OTHERWISE = Set.of("tsmeta-create", "tsmeta-get-2");

  private static final List<String> METADATA_SETTINGS =
      List.of(
          "tsd.core.meta.enable_realtime_ts",
          "tsd.core.meta.enable_realtime_uid",
          "tsd.core.meta.enable_tsuid_incrementing",
          "tsd.core.meta.enable_tsuid_tracking");

  /** Fields with times and durations. */
  private static final Pattern CLOCKS =
      Pattern.compile("(\"(?:created|lastReceived)\":)[1-9][0-9]*|(\"time\":)[0-9.]+");

  /** Descriptions of filters. */
  private static final Pattern SENTENCES =
      Pattern.compile("(\"(?:description|examples)\":)\"(?:[^\"\\\\]|\\\\.)*\"");

  /** Seconds, and maybe milliseconds. */
  private static final Pattern TIME =
      Pattern.compile("(?<![\\d.])(\\d{10})((?:\\d{3})?)(?![\\d.])");

  /** Which of several series is found first, is left to chance. */
  static final String IN_ANY_ORDER = "/api/query/last";

  private static final ObjectMapper JSON = new ObjectMapper();

  /** The two sequences that come with the tests. */
  static List<HttpSequence> own() {
    List<JsonNode> without = new ArrayList<>();
    List<JsonNode> with = new ArrayList<>();
    try (InputStream json = HttpSequence.class.getResourceAsStream("http.json")) {
      for (JsonNode request : JSON.readTree(json)) {
        (request.required("config").asText().equals("meta=true") ? with : without).add(request);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return List.of(new HttpSequence(false, without), new HttpSequence(true, with));
  }

  TsdbOptions options(TsdbOptions base) {
    TsdbOptions options = base;
    for (String setting : METADATA_SETTINGS) {
      options = options.with(GoldenConfig.key(setting), Boolean.toString(withMetadata));
    }
    return options;
  }

  /** A moment within the run: there are points that were put as being of "now". */
  Instant run() {
    for (JsonNode request : requests) {
      if (request.path("name").asText().equals("put-recent")) {
        return Instant.ofEpochSecond(request.path("body").path(0).path("timestamp").asLong() + 90);
      }
    }
    throw new AssertionError("no points of the run's own time");
  }

  /** How much later the hour of one moment is than the hour of another. */
  static Duration wholeHours(Instant from, Instant to) {
    return Duration.between(from.truncatedTo(ChronoUnit.HOURS), to.truncatedTo(ChronoUnit.HOURS));
  }

  /** The same sequence, run at another moment. */
  HttpSequence later(Duration duration) {
    long seconds = duration.toSeconds();
    return new HttpSequence(
        withMetadata, requests.stream().map(request -> shifted(request, seconds)).toList());
  }

  private static JsonNode shifted(JsonNode request, long seconds) {
    String text =
        TIME.matcher(request.toString())
            .replaceAll(
                (MatchResult time) ->
                    RunClock.isSeconds(Long.parseLong(time.group(1)))
                        ? Long.parseLong(time.group(1)) + seconds + time.group(2)
                        : time.group());
    try {
      return JSON.readTree(text);
    } catch (IOException e) {
      throw new UncheckedIOException(text, e);
    }
  }

  /**
   * The requests to play, each to be made after those before it.
   *
   * @param ofServers whether those are among them that only a server answers
   */
  List<JsonNode> played(boolean ofServers) {
    return requests.stream().filter(request -> ofServers || isOfTheEngine(request)).toList();
  }

  private static boolean isOfTheEngine(JsonNode request) {
    if (request.has("failed") || request.path("response").asText().equals("(gzip)")) {
      return false;
    }
    if (request.has("telnet")) {
      return request.get("telnet").isArray();
    }
    return ANSWERED.matcher(request.required("path").asText().replaceFirst("\\?.*", "")).matches();
  }

  /**
   * Makes a request.
   *
   * @return how the answer differs from the recorded one; empty if it doesn't
   */
  static String difference(JsonNode request, Tsdb db, RequestPort port) {
    String difference =
        request.has("telnet") ? telnetDifference(request, port) : httpDifference(request, port);
    db.flush(); // a write is acknowledged before its metadata is stored, which others ask for
    return difference;
  }

  private static String httpDifference(JsonNode request, RequestPort port) {
    ObjectNode masked = request.deepCopy();
    if (request.has("body_plain")) {
      masked.set("body", request.get("body_plain"));
    }
    ApiCall call = RecordedAnswer.call(masked);
    Map<String, String> headers = new TreeMap<>();
    request
        .path("headers")
        .properties()
        .forEach(h -> headers.put(h.getKey(), h.getValue().asText()));
    RequestPort.Response response =
        port.http(
            masked.required("method").asText(),
            masked.required("path").asText(),
            headers,
            call.body());
    if (ANSWERED_OTHERWISE.contains(request.path("name").asText())) {
      return "";
    }
    if (!isOfTheEngine(request)) {
      return ServerRequests.difference(request, response);
    }
    String type =
        ServerRequests.typeDifference(
            request.path("response_headers").path("Content-Type").asText(), response);
    if (!type.isEmpty()) {
      return type;
    }
    masked.put("response", comparable(call.path(), request.path("response").asText()));
    ApiResponse compared =
        new ApiResponse(response.status(), comparable(call.path(), response.body()));
    return call.path().equals(IN_ANY_ORDER)
        ? QueryComparison.differenceInAnyOrder(masked, compared)
        : QueryComparison.difference(masked, compared);
  }

  /** A body without fields that depend on the time. */
  static String comparable(String path, String json) {
    String timeless = CLOCKS.matcher(json).replaceAll("$1$2\"now\"");
    return path.startsWith("/api/config/filters")
        ? SENTENCES.matcher(timeless).replaceAll("$1\"…\"")
        : timeless;
  }

  private static String telnetDifference(JsonNode request, RequestPort port) {
    List<String> lines = new ArrayList<>();
    boolean ofServer = !isOfTheEngine(request);
    if (request.get("telnet").isArray()) {
      request.get("telnet").forEach(line -> lines.add(line.asText()));
    } else {
      lines.add(request.get("telnet").asText());
    }
    // Lines were sent as UTF-8, and the telnet port takes bytes for ISO-8859-1.
    lines.replaceAll(line -> new String(line.getBytes(UTF_8), ISO_8859_1));
    ofServer |= lines.stream().anyMatch(line -> LINE_FOR_THE_SERVER.matcher(line).matches());
    if (ofServer && !port.isServer()) {
      lines.removeIf(line -> LINE_FOR_THE_SERVER.matcher(line).matches());
    }
    boolean whole = request.get("telnet").isArray();
    String replies = port.telnet(String.join("\n", lines) + (whole ? "\n" : ""));
    String recorded = request.path("response").asText();
    if (ofServer) {
      return port.isServer() ? ServerRequests.telnetDifference(request, replies) : "";
    }
    return recorded.contentEquals(replies) ? "" : "recorded " + recorded + ", answered " + replies;
  }
}
